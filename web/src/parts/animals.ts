/** The animals people can be: how each head is drawn. The names are the hall's (hall/avatars.py). */
import { t } from '../lib/language.svelte';

export interface Animal {
  fur: string;
  ears: 'round' | 'point' | 'long' | 'horns' | 'tuft' | 'none' | 'eyes';
  face: 'snout' | 'beak' | 'muzzle' | 'wide';
  mark?: string; // a mask, a blaze, a belly
}

export const ANIMALS: Record<string, Animal> = {
  badger: { fur: '#4d4a48', ears: 'round', face: 'snout', mark: '#f4efe6' },
  bear: { fur: '#8a5a3b', ears: 'round', face: 'muzzle', mark: '#e2c4a4' },
  beaver: { fur: '#7a4f35', ears: 'round', face: 'wide', mark: '#c99b72' },
  boar: { fur: '#6b5a52', ears: 'point', face: 'wide', mark: '#d8a9a0' },
  cat: { fur: '#d99a4e', ears: 'point', face: 'muzzle', mark: '#fbe6c8' },
  crow: { fur: '#3a3f4d', ears: 'none', face: 'beak', mark: '#e0b040' },
  deer: { fur: '#b97f4c', ears: 'horns', face: 'muzzle', mark: '#f2dcc0' },
  dog: { fur: '#c9a27a', ears: 'long', face: 'muzzle', mark: '#f6e9d8' },
  fox: { fur: '#d8692f', ears: 'point', face: 'snout', mark: '#fff4e6' },
  frog: { fur: '#5d9c4b', ears: 'eyes', face: 'wide', mark: '#cfe8b8' },
  goat: { fur: '#d9d2c4', ears: 'horns', face: 'muzzle', mark: '#fffaf0' },
  hare: { fur: '#b59a7d', ears: 'long', face: 'muzzle', mark: '#f3e7d7' },
  hedgehog: { fur: '#6d5846', ears: 'round', face: 'snout', mark: '#ecd2b0' },
  heron: { fur: '#8fa7b8', ears: 'tuft', face: 'beak', mark: '#e9b44c' },
  horse: { fur: '#8b5e3c', ears: 'point', face: 'muzzle', mark: '#f3e6d6' },
  lynx: { fur: '#c7a072', ears: 'tuft', face: 'muzzle', mark: '#fbeeda' },
  mole: { fur: '#54505a', ears: 'none', face: 'snout', mark: '#e7a7a7' },
  otter: { fur: '#7d6450', ears: 'round', face: 'muzzle', mark: '#e8d3ba' },
  owl: { fur: '#9a7b55', ears: 'tuft', face: 'beak', mark: '#e8b648' },
  seal: { fur: '#7f8c99', ears: 'none', face: 'muzzle', mark: '#dfe6ec' },
  squirrel: { fur: '#b5572c', ears: 'tuft', face: 'muzzle', mark: '#fde8d2' },
  toad: { fur: '#8a8a4a', ears: 'eyes', face: 'wide', mark: '#e0dca6' },
  wolf: { fur: '#7c8590', ears: 'point', face: 'snout', mark: '#f0f2f4' },
  wren: { fur: '#a0714a', ears: 'none', face: 'beak', mark: '#d9a24a' },
};

/** A number from a text, the same on every device. */
export function numberOf(text: string): number {
  let number = 2166136261;
  for (const char of text) number = Math.imul(number ^ char.codePointAt(0)!, 16777619);
  return number >>> 0;
}

/** The avatar that goes with a name, for whoever has not chosen one. */
export function avatarFor(name: string): string {
  const names = Object.keys(ANIMALS);
  return names[numberOf(name) % names.length]!;
}

/** What an animal is called, for those who choose one. */
export const animalName = (avatar: string): string => names()[avatar] ?? avatar;

const names = (): Record<string, string> => ({
  badger: t('badger'),
  bear: t('bear'),
  beaver: t('beaver'),
  boar: t('boar'),
  cat: t('cat'),
  crow: t('crow'),
  deer: t('deer'),
  dog: t('dog'),
  fox: t('fox'),
  frog: t('frog'),
  goat: t('goat'),
  hare: t('hare'),
  hedgehog: t('hedgehog'),
  heron: t('heron'),
  horse: t('horse'),
  lynx: t('lynx'),
  mole: t('mole'),
  otter: t('otter'),
  owl: t('owl'),
  seal: t('seal // animal'),
  squirrel: t('squirrel'),
  toad: t('toad'),
  wolf: t('wolf'),
  wren: t('wren'),
});

export const animalOf = (avatar: string | null | undefined, name: string): Animal =>
  ANIMALS[avatar ?? ''] ?? ANIMALS[avatarFor(name)]!;
