import { describe, expect, test } from 'vitest';
import css from './dice.css?raw';

const STATES = ['die', 'held', 'aside'] as const;

/** The colours of a set; what it does not name is as in the first. */
function coloursOf(set: string): Record<string, string> {
  const block = (start: string): string => css.slice(css.indexOf(start), css.indexOf('}', css.indexOf(start)));
  const named = [block(':root'), set === 'ivory' ? '' : block(`[data-dice='${set}']`)].join();
  return Object.fromEntries([...named.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name!, colour!]));
}

/** WCAG's relative luminance: brightness without colour. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

describe.each(['ivory', 'ebony', 'garnet', 'contrast'])('dice of %s', (set) => {
  const colours = coloursOf(set);
  test.each(STATES)('have pips that can be counted: %s', (state) => {
    expect(contrast(colours[`${state}-face`]!, colours[`${state}-pip`]!)).toBeGreaterThan(4.5);
  });
});

test('dice for colour-blind people differ in brightness alone', () => {
  const colours = coloursOf('contrast');
  for (const [one, other] of [['die', 'held'], ['held', 'aside'], ['die', 'aside']]) {
    expect(contrast(colours[`${one}-face`]!, colours[`${other}-face`]!)).toBeGreaterThan(3);
  }
});
