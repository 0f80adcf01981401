/** House rules as fields of a form, made from what the hall says a game takes. */
import type { RuleShown } from '../../lib/types';

export interface RuleField {
  name: string;
  label: string;
  least: number;
  most: number;
  usual: number | null;
  mayBeNone: boolean; // such as a clock that never runs out
}

export function fieldsOf(rules: Record<string, RuleShown>): RuleField[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    label: labelOf(name),
    least: rule.minimum,
    most: rule.maximum,
    usual: rule.default,
    mayBeNone: Array.isArray(rule.type) && rule.type.includes('null'),
  }));
}

/** `turn_seconds` is "Turn seconds": games name their rules in words. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Only what differs from the usual is sent. */
export function changed(fields: RuleField[], chosen: Record<string, number | null>): Record<string, number | null> {
  const differs = fields.filter((field) => field.name in chosen && chosen[field.name] !== field.usual);
  return Object.fromEntries(differs.map((field) => [field.name, chosen[field.name] ?? null]));
}
