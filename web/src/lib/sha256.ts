/** SHA-256 and HMAC, because a browser's own are missing on a plain http page, such as a hall in the home network. */

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
};
/** The first 32 bits of what stands behind the point. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export type Bytes = Uint8Array<ArrayBuffer>;

export function sha256(data: Bytes): Bytes {
  const padded = new DataView(new ArrayBuffer(((data.length + 72) >>> 6) << 6));
  new Uint8Array(padded.buffer).set(data);
  padded.setUint8(data.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(data.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, data.length << 3);
  const state = Int32Array.from(START);
  for (let at = 0; at < padded.byteLength; at += 64) mix(state, padded, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(i * 4, word));
  return new Uint8Array(out.buffer);
}

function mix(state: Int32Array, block: DataView, at: number): void {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i]! + word) | 0));
}

export function hmac(key: Bytes, data: Bytes): Bytes {
  const pad = new Uint8Array(64);
  pad.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(pad.map((byte) => byte ^ 0x36), data));
  return sha256(joined(pad.map((byte) => byte ^ 0x5c), inner));
}

export function joined(one: Bytes, two: Bytes): Bytes {
  const both = new Uint8Array(one.length + two.length);
  both.set(one);
  both.set(two, one.length);
  return both;
}
