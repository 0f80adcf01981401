/** Keys and events of Nostr as people write them (NIP-19, bech32) and as links (NIP-21). */

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM = 6;
const HEX_32 = /^[0-9a-f]{64}$/;
const NPUB = /^npub1[02-9ac-hj-np-z]{58}$/;

/** The note1 text of an event's id; null if it is not an id. */
export const noteOf = (id: string): string | null => (HEX_32.test(id) ? bech32('note', bytesOf(id)) : null);

/** Where a Nostr client opens an event or a person; null for anything else, so that no other text becomes a link. */
export function nostrLink(text: string): string | null {
  const name = NPUB.test(text) ? text : noteOf(text);
  return name === null ? null : `nostr:${name}`;
}

/** npub1abc…wxyz: enough to tell people apart. */
export const shortened = (text: string): string => (text.length <= 16 ? text : `${text.slice(0, 9)}…${text.slice(-4)}`);

export function bech32(prefix: string, data: Uint8Array): string {
  const values = inFives(data);
  const residue = polymod([...expanded(prefix), ...values, ...Array<number>(CHECKSUM).fill(0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM }, (_, i) => (residue >>> (5 * (CHECKSUM - 1 - i))) & 31);
  return `${prefix}1${[...values, ...checksum].map((value) => ALPHABET[value]).join('')}`;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));

const expanded = (prefix: string): number[] => {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
};

function polymod(values: number[]): number {
  let residue = 1;
  for (const value of values) {
    const top = residue >>> 25;
    residue = ((residue & 0x1ffffff) << 5) ^ value;
    GENERATORS.forEach((generator, bit) => (residue ^= (top >>> bit) & 1 ? generator : 0));
  }
  return residue;
}

function inFives(data: Uint8Array): number[] {
  const groups: number[] = [];
  let [buffer, bits] = [0, 0];
  for (const byte of data) {
    [buffer, bits] = [((buffer << 8) | byte) & 0xfff, bits + 8];
    while (bits >= 5) groups.push((buffer >> (bits -= 5)) & 31);
  }
  return bits ? [...groups, (buffer << (5 - bits)) & 31] : groups;
}
