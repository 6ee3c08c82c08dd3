/** Drafts and policies: one from the other, checked by the protocol's own encoder. */
import {
  encodeUploadPolicy,
  Fault,
  type PolicyFieldName,
  type PolicyFields,
  policyFields,
} from '@millpond/protocol';
import type { Draft, DraftField, DraftFields } from './search.ts';

export const DEFAULT_LIFE = 3600;
const MOST_TEXT = 64 * 1024;
const ELSEWHERE = new Set(['scope', 'isPrefixalScope', 'deadline']);

/** Without fields that no policy has, and without values of another type. */
export function readFields(given: object): DraftFields {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => isField(name, value)));
}

function isField(name: string, value: unknown): boolean {
  if (!Object.hasOwn(policyFields, name) || ELSEWHERE.has(name)) return false;
  const field = policyFields[name as PolicyFieldName];
  if ('ignored' in field) return false;
  switch (field.type) {
    case 'text':
      return isText(value);
    case 'integer':
      return typeof value === 'number';
    case 'flag':
      return typeof value === 'boolean';
    case 'texts':
      return Array.isArray(value) && value.every(isText);
    case 'headers':
      return typeof value === 'object' && value !== null && Object.values(value).every(isText);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}

/** What is signed, without its deadline. */
export function policyOf(draft: Draft): PolicyFields & { readonly scope: string } {
  const { bucket = '', way = 'any', key = '', fields = {} } = draft;
  return {
    scope: way === 'any' ? bucket : `${bucket}:${key}`,
    ...(way === 'prefix' ? { isPrefixalScope: 1 } : {}),
    ...fields,
  };
}

/** What has to be said yet. What was chosen and left empty would be every key of the bucket, or the one whose name is empty. */
export function missingIn({
  bucket,
  way = 'any',
  key,
}: Draft): 'noBucket' | 'noPrefix' | 'noKey' | undefined {
  if (!bucket) return 'noBucket';
  if (way === 'any' || key) return undefined;
  return way === 'prefix' ? 'noPrefix' : 'noKey';
}

export function deadlineOf(draft: Draft, now: number): number {
  return Math.floor(now / 1000) + (draft.life ?? DEFAULT_LIFE);
}

/** The other way round: a policy that somebody has, to be changed. */
export function draftOf(policy: PolicyFields): Draft {
  const scope = policy.scope ?? '';
  const colon = scope.indexOf(':');
  const bucket = colon < 0 ? scope : scope.slice(0, colon);
  const way = colon < 0 ? 'any' : policy.isPrefixalScope === 1 ? 'prefix' : 'one';
  return {
    bucket,
    way,
    ...(colon < 0 ? {} : { key: scope.slice(colon + 1) }),
    fields: readFields(policy),
  };
}

/** What the protocol's own encoder says against a policy; the server says the same. */
export function policyProblem(policy: PolicyFields, deadline: number): string | undefined {
  try {
    encodeUploadPolicy({ ...policy, deadline });
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.hint ?? error.message;
    throw error;
  }
}

/** An undefined value removes the field. */
export function withField(fields: DraftFields, name: DraftField, value: unknown): DraftFields {
  const { [name]: _before, ...others } = fields;
  return value === undefined ? others : { ...others, [name]: value };
}
