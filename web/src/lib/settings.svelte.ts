/** How this page looks and sounds, as its person likes it. */
import { keep, kept } from './kept';
import type { Speed } from './playback';

export type Theme = 'auto' | 'light' | 'dark';
export type Dice = 'ivory' | 'ebony' | 'garnet' | 'contrast';

const USUAL_VOLUME = 60; // percent, once somebody asks for sound

class Settings {
  theme = $state<Theme>(kept<Theme>('theme') ?? 'auto');
  dice = $state<Dice>(kept<Dice>('dice') ?? 'ivory');
  volume = $state(kept<number>('volume') ?? (kept<boolean>('sound') ? USUAL_VOLUME : 0)); // percent; 0 is off
  speed = $state<Speed>(kept<Speed>('speed') ?? 'normal');

  keys = $state(kept<boolean>('keys') ?? false); // whether buttons show the key that presses them
  mutesReactions = $state(kept<boolean>('reactions-muted') ?? false); // those of others, at every table

  start(): void {
    this.show();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    keep('theme', theme === 'auto' ? null : theme);
    this.show();
  }

  setDice(dice: Dice): void {
    this.dice = dice;
    keep('dice', dice === 'ivory' ? null : dice);
    this.show();
  }

  get sound(): boolean {
    return this.volume > 0;
  }

  /** On is as loud as it was before. */
  setSound(on: boolean): void {
    this.setVolume(on ? (kept<number>('loudness') ?? USUAL_VOLUME) : 0);
  }

  setVolume(percent: number): void {
    this.volume = percent;
    keep('volume', percent);
    if (percent > 0) keep('loudness', percent);
  }

  /** How much louder or softer than usual. */
  get loudness(): number {
    return this.volume / USUAL_VOLUME;
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    keep('speed', speed === 'normal' ? null : speed);
  }

  setKeys(on: boolean): void {
    this.keys = on;
    keep('keys', on || null);
    this.show();
  }

  setMutesReactions(on: boolean): void {
    this.mutesReactions = on;
    keep('reactions-muted', on || null);
  }

  private show(): void {
    if (this.keys) document.documentElement.dataset['keys'] = 'true';
    else delete document.documentElement.dataset['keys'];
    document.documentElement.dataset['theme'] = this.theme;
    document.documentElement.dataset['dice'] = this.dice;
  }
}

export const settings = new Settings();
