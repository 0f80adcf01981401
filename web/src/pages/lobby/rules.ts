/** House rules as fields of a form, made from what the hall says a game takes. */
import type { RuleShown } from '../../lib/types';
import { ruleName } from '../table/houseRules';

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

/** `turn_seconds` is "Clock, in seconds": as the rules at a table are named, with what is counted. */
export const labelOf = (name: string): string => ruleName(name) + (name.endsWith('_seconds') ? ', in seconds' : '');

/** Only what differs from the usual is sent. */
export function changed(fields: RuleField[], chosen: Record<string, number | null>): Record<string, number | null> {
  const differs = fields.filter((field) => field.name in chosen && chosen[field.name] !== field.usual);
  return Object.fromEntries(differs.map((field) => [field.name, chosen[field.name] ?? null]));
}

/** A refusal names a rule by its key; here it has the name that stands in the form. */
export function inWords(fields: RuleField[], sentence: string): string {
  const meant = fields.find((field) => sentence.startsWith(`${field.name} `));
  return meant ? meant.label + sentence.slice(meant.name.length) : sentence;
}
