/**
 * Lifecycle rules of a bucket: how many days after its upload an object changes class or is deleted. Of the rules whose
 * prefix matches a key, only the one with the longest prefix applies.
 */
import { checkKey, MAX_OBJECT_DAYS, storageClasses } from '@millpond/protocol';
import { invalidBodyFault } from './parse-json-body.ts';

/** 0 days means never. */
export interface LifecycleRule {
  readonly name: string;
  readonly prefix: string;
  readonly to_line_after_days: number;
  readonly to_archive_after_days: number;
  readonly to_deep_archive_after_days: number;
  readonly delete_after_days: number;
}

/** As listed, with its creation time; S3's rules have none. */
export interface ListedLifecycleRule extends LifecycleRule {
  readonly ctime?: Date;
}

export const MAX_LIFECYCLE_RULES = 100;

const NAME = /^\w{1,49}$/;
/** Fields that Qiniu has and we don't: only 0 is accepted, which SDKs send by default. */
const UNSERVED = ['to_archive_ir_after_days', 'history_delete_after_days', 'history_to_line_after_days'];
const DAYS = [
  'to_line_after_days',
  'to_archive_after_days',
  'to_deep_archive_after_days',
  'delete_after_days',
] as const;

/** A rule's fields as text: of a form, or of JSON. */
type RuleFields = Pick<URLSearchParams, 'get'>;

export function readRuleName(form: RuleFields): string {
  const name = form.get('name') ?? '';
  if (!NAME.test(name)) throw invalidBodyFault('name must have 1 to 49 letters, digits and _');
  return name;
}

/** Fields missing from the form stay as they were in `before`. */
export function readLifecycleRule(form: RuleFields, before?: LifecycleRule): LifecycleRule {
  const prefix = form.get('prefix') ?? before?.prefix ?? '';
  checkKey(prefix);
  for (const name of UNSERVED) {
    if (readDays(form, name, 0) !== 0) throw invalidBodyFault(`${name} is not supported`);
  }
  const rule: LifecycleRule = {
    name: readRuleName(form),
    prefix,
    to_line_after_days: readDays(form, 'to_line_after_days', before?.to_line_after_days ?? 0),
    to_archive_after_days: readDays(form, 'to_archive_after_days', before?.to_archive_after_days ?? 0),
    to_deep_archive_after_days: readDays(
      form,
      'to_deep_archive_after_days',
      before?.to_deep_archive_after_days ?? 0,
    ),
    delete_after_days: readDays(form, 'delete_after_days', before?.delete_after_days ?? 0),
  };
  const stages = DAYS.map((stage) => rule[stage]).filter((days) => days > 0);
  if (stages.length === 0) throw invalidBodyFault('the rule does nothing');
  if (stages.some((days, index) => days <= (stages[index - 1] ?? 0)))
    throw invalidBodyFault('infrequent access, archive, deep archive and deletion must come in this order');
  return rule;
}

function readDays(form: RuleFields, name: string, fallback: number): number {
  // One of the SDKs has another name for infrequent access.
  const text = form.get(name) ?? (name === 'to_line_after_days' ? form.get('to_ia_after_days') : null);
  if (text === null || text === '') return fallback;
  if (!/^\d{1,5}$/.test(text) || Number(text) > MAX_OBJECT_DAYS)
    throw invalidBodyFault(`${name} must be a number of days from 0 to ${MAX_OBJECT_DAYS}`);
  return Number(text);
}

/** The rule that applies to a key. */
export function ruleFor<Rule extends LifecycleRule>(rules: readonly Rule[], key: string): Rule | undefined {
  let found: Rule | undefined;
  for (const rule of rules) {
    if (key.startsWith(rule.prefix) && rule.prefix.length >= (found?.prefix.length ?? 0)) found = rule;
  }
  return found;
}

/** What a rule does to an object of this age: delete it, move it to a colder class, or nothing. */
export function dueAction(
  rule: LifecycleRule,
  ageDays: number,
  storageClass: number,
): 'delete' | number | undefined {
  const isDue = (days: number) => days > 0 && ageDays >= days;
  if (isDue(rule.delete_after_days)) return 'delete';
  const target = storageClasses.findLast((row) => 'afterDays' in row && isDue(rule[row.afterDays]));
  return target !== undefined && target.number > storageClass ? target.number : undefined;
}
