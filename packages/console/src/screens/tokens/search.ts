/** What the address of the builder says, as far as it can be read without the table of policy fields: that is loaded with the screen. */
import type { PolicyFieldName, PolicyFields } from '@millpond/protocol';

const WAYS = ['any', 'prefix', 'one'] as const;
export type Way = (typeof WAYS)[number];

/** Fields that the form has other inputs for, or that do nothing. */
type Elsewhere = 'scope' | 'isPrefixalScope' | 'deadline' | `transform${string}`;
export type DraftField = Exclude<PolicyFieldName, Elsewhere>;
export type DraftFields = Pick<PolicyFields, DraftField>;

/**
 * A policy as it is being built. All of it is in the address, so that a draft can be kept, passed on and gone back to; nothing of it is
 * secret. The token itself is never there.
 */
export interface Draft {
  /** A token is taken apart, instead of built. */
  readonly explain?: true | undefined;
  readonly bucket?: string | undefined;
  /** Which keys; without it, any new one. */
  readonly way?: Way | undefined;
  /** The prefix or key. */
  readonly key?: string | undefined;
  /** Seconds; an hour unless said. */
  readonly life?: number | undefined;
  /** Of an address they are not checked yet. */
  readonly fields?: DraftFields | undefined;
}

const MOST_TEXT = 4096;

/** Anybody may have written an address: what has another form is left out. */
export function readSearch(search: Record<string, unknown>): Draft {
  const { explain, bucket, way, key, life, fields } = search;
  const known = WAYS.find((each) => each === way);
  return {
    ...(explain === true ? { explain } : {}),
    ...(isShort(bucket) ? { bucket } : {}),
    ...(known === undefined ? {} : { way: known }),
    ...(isShort(key) ? { key } : {}),
    ...(typeof life === 'number' && Number.isSafeInteger(life) && life > 0 ? { life } : {}),
    ...(typeof fields === 'object' && fields !== null ? { fields } : {}),
  };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}
