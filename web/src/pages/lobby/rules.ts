/** House rules as fields of a form, made from what the hall says a game takes. */
import { t } from '../../lib/language.svelte';
import type { RuleShown } from '../../lib/types';
import { ruleName } from '../table/houseRules';

export interface RuleField {
  name: string;
  label: string;
  least: number;
  most: number;
  mostWith: Record<string, number>; // while another rule is on
  usual: number | null;
  mayBeNone: boolean; // such as a clock that never runs out
}

export function fieldsOf(rules: Record<string, RuleShown>): RuleField[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    label: labelOf(name),
    least: rule.minimum,
    most: rule.maximum,
    mostWith: rule.maximum_with ?? {},
    usual: rule.default,
    mayBeNone: Array.isArray(rule.type) && rule.type.includes('null'),
  }));
}

/** `turn_seconds` is "Clock (seconds)": as the rules at a table are named, with what is counted. */
export const labelOf = (name: string): string => (name.endsWith('_seconds') ? t('{rule} (seconds)', { rule: ruleName(name) }) : ruleName(name));

type Chosen = Record<string, number | null>;

export const valueOf = (field: RuleField, chosen: Chosen): number | null => (field.name in chosen ? (chosen[field.name] ?? null) : field.usual);

/** The rules that are on and limit this one more than it is limited anyhow. */
const limiting = (field: RuleField, fields: RuleField[], chosen: Chosen): RuleField[] =>
  fields.filter((other) => (field.mostWith[other.name] ?? Infinity) < field.most && valueOf(other, chosen) === 1);

/** The most that can be chosen here, with the rules that are on. */
export const mostOf = (field: RuleField, fields: RuleField[], chosen: Chosen): number =>
  Math.min(field.most, ...limiting(field, fields, chosen).map((other) => field.mostWith[other.name]!));

/** The rule that makes the most less than usual; null where none does. */
export const limitedBy = (field: RuleField, fields: RuleField[], chosen: Chosen): string | null =>
  limiting(field, fields, chosen)[0]?.label ?? null;

/** What is wrong with this number, as a sentence; empty where nothing is. */
export function wrong(field: RuleField, fields: RuleField[], chosen: Chosen): string {
  const value = valueOf(field, chosen);
  const most = mostOf(field, fields, chosen);
  if (value === null ? field.mayBeNone : Number.isInteger(value) && field.least <= value && value <= most) return '';
  const said = { label: field.label, least: field.least, most };
  const rule = limitedBy(field, fields, chosen);
  if (rule === null) return t('{label} must be a whole number from {least} to {most}.', said);
  return t('{label} must be a whole number from {least} to {most} while “{rule}” is on.', { ...said, rule });
}

/** Only what differs from the usual is sent. */
export function changed(fields: RuleField[], chosen: Chosen): Chosen {
  const differs = fields.filter((field) => field.name in chosen && chosen[field.name] !== field.usual);
  return Object.fromEntries(differs.map((field) => [field.name, chosen[field.name] ?? null]));
}

/** A refusal names a rule by its key; here it has the name that stands in the form. */
export function inWords(fields: RuleField[], sentence: string): string {
  const meant = fields.find((field) => sentence.startsWith(`${field.name} `));
  return meant ? meant.label + sentence.slice(meant.name.length) : sentence;
}
