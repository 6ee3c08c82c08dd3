/**
 * The policy of a form upload: what its signer lets others upload, and until when. Every field of the form must satisfy
 * its conditions, and have one: what the signer did not think of is not allowed.
 */
import { decodeJson } from '../../json.ts';
import { decodePlainBase64 } from '../encodings.ts';
import { S3Fault } from '../fault.ts';

/** By name in lower case; `bucket` is the bucket that the request goes to, whatever the form says. */
export type PostFields = ReadonlyMap<string, string>;

interface FieldCondition {
  readonly operator: 'eq' | 'starts-with';
  /** In lower case, without `$`. */
  readonly field: string;
  readonly value: string;
}

export interface PostPolicy {
  /** In milliseconds. */
  readonly expiration: number;
  readonly conditions: readonly FieldCondition[];
  /** In bytes, both included. */
  readonly minSize: number;
  readonly maxSize: number;
}

/** From the text of the field `policy`; line breaks in it are part of what is signed, but not of the document. */
export function parsePostPolicy(encoded: string): PostPolicy {
  const bytes = decodePlainBase64(encoded.replace(/\s+/g, ''));
  const document = bytes && decodeJson(bytes);
  if (!isObject(document)) throw invalid('it must be Base64 of a JSON object');
  const { expiration, conditions, ...others } = document;
  const [unexpected] = Object.keys(others);
  if (unexpected !== undefined) throw invalid(`unexpected: '${unexpected.slice(0, 64)}'`);
  if (!Array.isArray(conditions)) throw invalid('conditions must be a list');
  const read = { conditions: [] as FieldCondition[], minSize: 0, maxSize: Number.POSITIVE_INFINITY };
  for (const condition of conditions as unknown[]) {
    const one = readCondition(condition);
    if ('operator' in one) read.conditions.push(one);
    else {
      read.minSize = Math.max(read.minSize, one.minSize);
      read.maxSize = Math.min(read.maxSize, one.maxSize);
    }
  }
  return { expiration: readExpiration(expiration), ...read };
}

function readExpiration(text: unknown): number {
  const isTime = typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw invalid('expiration must be a time such as 2026-11-15T22:55:01.000Z');
  return time;
}

type SizeRange = Pick<PostPolicy, 'minSize' | 'maxSize'>;

function readCondition(condition: unknown): FieldCondition | SizeRange {
  if (Array.isArray(condition)) return readOperator(condition as unknown[]);
  const [pair, second] = isObject(condition) ? Object.entries(condition) : [];
  if (pair === undefined || second !== undefined)
    throw invalid('a simple condition must have exactly one property');
  const [field, value] = pair;
  if (typeof value !== 'string') throw invalid('the value of a simple condition must be a text');
  return { operator: 'eq', field: field.toLowerCase(), value };
}

function readOperator([name, first, second, ...more]: readonly unknown[]): FieldCondition | SizeRange {
  if (typeof name !== 'string' || second === undefined || more.length > 0)
    throw invalid('a condition must be a list of an operator and two arguments');
  const operator = name.toLowerCase();
  if (operator === 'content-length-range') {
    const [minSize, maxSize] = [readSize(first), readSize(second)];
    if (minSize > maxSize) throw invalid('content-length-range must have its minimum first');
    return { minSize, maxSize };
  }
  if (operator !== 'eq' && operator !== 'starts-with')
    throw invalid(`unknown operator '${operator.slice(0, 32)}'`);
  if (typeof first !== 'string' || !first.startsWith('$') || typeof second !== 'string')
    throw invalid(`${operator} must have a field that begins with $, and a text`);
  return { operator, field: first.slice(1).toLowerCase(), value: second };
}

function readSize(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw invalid('content-length-range must have two whole numbers');
  return Number(text);
}

const FREE = new Set(['policy', 'signature', 'x-amz-signature', 'awsaccesskeyid', 'file']);

function needsCondition(field: string): boolean {
  return !FREE.has(field) && !field.startsWith('x-ignore-') && !field.startsWith('x-amz-checksum-');
}

/** Sizes are judged when they are known: `checkPostSize`. */
export function checkPostPolicy(policy: PostPolicy, fields: PostFields, now: number): void {
  if (policy.expiration < now) throw denied('Policy expired.');
  for (const condition of policy.conditions) {
    if (!holds(condition, fields.get(condition.field) ?? ''))
      throw denied(
        `Policy Condition failed: ${JSON.stringify([condition.operator, `$${condition.field}`, condition.value])}`,
      );
  }
  const covered = new Set(policy.conditions.map(({ field }) => field));
  for (const field of fields.keys()) {
    if (needsCondition(field) && !covered.has(field))
      throw denied(`Extra input fields: ${field.slice(0, 64)}`);
  }
}

/** A list of types must satisfy the condition with each of them. */
function holds({ operator, field, value }: FieldCondition, given: string): boolean {
  if (operator === 'eq') return given === value;
  if (field !== 'content-type') return given.startsWith(value);
  return given.split(',').every((type) => type.trim().startsWith(value));
}

/** `size` may be what has arrived so far, if the end is not known yet. */
export function checkPostSize(policy: SizeRange, size: number, isWhole: boolean): void {
  if (size > policy.maxSize)
    throw new S3Fault('EntityTooLarge', {
      details: { ProposedSize: String(size), MaxSizeAllowed: String(policy.maxSize) },
    });
  if (isWhole && size < policy.minSize)
    throw new S3Fault('EntityTooSmall', {
      details: { ProposedSize: String(size), MinSizeAllowed: String(policy.minSize) },
    });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(why: string): S3Fault {
  return new S3Fault('InvalidPolicyDocument', { message: `Invalid Policy: ${why}` });
}

function denied(why: string): S3Fault {
  return new S3Fault('AccessDenied', { message: `Invalid according to Policy: ${why}` });
}
