/** Sounds made on the spot, and none until they are asked for. */
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === 'undefined') return null;
  if (navigator.userActivation?.hasBeenActive === false) return null; // a browser lets no page sound before it is touched
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

function tone(pitch: number, from: number, length: number, loud = 0.12, shape: OscillatorType = 'triangle'): void {
  const out = audio();
  if (!out) return;
  const start = out.currentTime + from;
  const [wave, gain] = [out.createOscillator(), out.createGain()];
  wave.type = shape;
  wave.frequency.value = pitch;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loud * settings.loudness, start + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  wave.connect(gain).connect(out.destination);
  wave.start(start);
  wave.stop(start + length);
}

/** A short burst of noise: wood on felt. */
function knock(from: number, loud: number): void {
  const out = audio();
  if (!out) return;
  const length = Math.floor(out.sampleRate * 0.05);
  const buffer = out.createBuffer(1, length, out.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const [source, filter, gain] = [out.createBufferSource(), out.createBiquadFilter(), out.createGain()];
  source.buffer = buffer;
  filter.type = 'lowpass';
  filter.frequency.value = 1400 + Math.random() * 900;
  gain.gain.value = loud * settings.loudness;
  source.connect(filter).connect(gain).connect(out.destination);
  source.start(out.currentTime + from);
}

export const sounds = {
  roll: (dice = 1): void => {
    for (let i = 0; i < 4 + dice; i++) knock(i * 0.06 + Math.random() * 0.03, 0.5 - i * 0.04);
  },
  hold: (): void => tone(520, 0, 0.12),
  bank: (): void => [523, 659, 784].forEach((pitch, i) => tone(pitch, i * 0.08, 0.25)),
  bust: (): void => [300, 220].forEach((pitch, i) => tone(pitch, i * 0.14, 0.3, 0.1, 'sawtooth')),
  win: (): void => [523, 659, 784, 1047].forEach((pitch, i) => tone(pitch, i * 0.11, 0.45)),
  turn: (): void => [660, 880].forEach((pitch, i) => tone(pitch, i * 0.1, 0.16)),
};
