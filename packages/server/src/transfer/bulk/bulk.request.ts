/** What is to be done with many objects, as a call says it; and what that asks of a key with limits. */
import {
  type BulkKind,
  bulkKinds,
  checkBucketName,
  checkKey,
  isStorageClass,
  type KeyAction,
  parseFreezeAfterDays,
  type RequiredPermission,
  type StorageClass,
} from '@millpond/protocol';
import { jsonBody, type RequestContext } from '../../platform/web/index.ts';
import { invalidField } from '../../platform/web/resources/index.ts';

export interface BulkRequest {
  readonly kind: BulkKind;
  readonly bucket: string;
  /** Common prefix of all keys in scope. */
  readonly prefix: string;
  /** Undefined: all under the prefix. */
  readonly keys: readonly string[] | undefined;
  readonly how: BulkParameters;
}

/** Parameters that depend on `kind`. */
export interface BulkParameters {
  readonly class?: StorageClass;
  readonly days?: number;
  readonly to?: { readonly bucket: string; readonly prefix: string };
  readonly zip?: { readonly bucket: string; readonly key: string };
  readonly force?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_KEYS = 10_000;

export function readBulkRequest(call: Pick<RequestContext, 'body'>): BulkRequest {
  const body = jsonBody(call);
  const kind = bulkKinds.find((each) => each === body.kind);
  if (kind === undefined) throw invalidField(`kind must be one of ${bulkKinds.join(', ')}`);
  const bucket = bucketIn(body, 'bucket');
  if (body.prefix === undefined && body.keys === undefined)
    throw invalidField('give a prefix, which may be empty for the whole bucket, or keys');
  const prefix = body.prefix === undefined ? '' : keyIn(body, 'prefix');
  const keys = body.keys === undefined ? undefined : keysIn(body.keys, prefix);
  return { kind, bucket, prefix, keys, how: howOf(kind, body) };
}

/** The key that an object gets below the place it is copied or moved to. */
export function targetKey(key: string, prefix: string, to: { readonly prefix: string }): string {
  return to.prefix + key.slice(prefix.length);
}

/** All of it must be allowed: a prefix as a whole, and names each. Whoever walks a prefix sees its names. */
export function bulkPermissions({ kind, bucket, prefix, keys, how }: BulkRequest): RequiredPermission[] {
  const of = (action: KeyAction): RequiredPermission[] =>
    keys === undefined ? [{ action, bucket, prefix }] : keys.map((key) => ({ action, bucket, key }));
  const sources = [...(keys === undefined ? of('list') : []), ...SOURCE_ACTIONS[kind].flatMap(of)];
  const { to, zip, force } = how;
  const targetActions: readonly KeyAction[] = force ? ['write', 'delete'] : ['write'];
  const targets = targetActions.flatMap((action): RequiredPermission[] => {
    if (zip !== undefined) return [{ action, ...zip }];
    if (to === undefined) return [];
    if (keys === undefined) return [{ action, ...to }];
    return keys.map((key) => ({ action, bucket: to.bucket, key: targetKey(key, prefix, to) }));
  });
  return [...sources, ...targets];
}

/** As the single operations ask: restores cost, and whoever moves an object could read it at its target. */
const SOURCE_ACTIONS: Readonly<Record<BulkKind, readonly KeyAction[]>> = {
  delete: ['delete'],
  class: ['write'],
  restore: ['write'],
  copy: ['read'],
  move: ['read', 'delete'],
  zip: ['read'],
};

function howOf(kind: BulkKind, body: Fields): BulkParameters {
  const given = ['class', 'days', 'to', 'zip', 'force'].filter((name) => body[name] !== undefined);
  const stray = given.find((name) => !FIELDS[kind].includes(name));
  if (stray !== undefined) throw invalidField(`${stray} means nothing to the kind ${kind}`);
  const force = body.force === undefined ? {} : { force: flagIn(body, 'force') };
  switch (kind) {
    case 'delete':
      return {};
    case 'class':
      return { class: classIn(body) };
    case 'restore':
      return { days: parseFreezeAfterDays(typeof body.days === 'number' ? String(body.days) : '') };
    case 'zip': {
      const zip = placeIn(body, 'zip');
      const key = keyIn(zip, 'key');
      if (key === '') throw invalidField('zip must name the key of the archive');
      return { zip: { bucket: bucketIn(zip, 'bucket'), key }, ...force };
    }
    case 'copy':
    case 'move': {
      const to = placeIn(body, 'to');
      return { to: { bucket: bucketIn(to, 'bucket'), prefix: keyIn(to, 'prefix') }, ...force };
    }
  }
}

const FIELDS: Readonly<Record<BulkKind, readonly string[]>> = {
  delete: [],
  class: ['class'],
  restore: ['days'],
  copy: ['to', 'force'],
  move: ['to', 'force'],
  zip: ['zip', 'force'],
};

function keysIn(keys: unknown, prefix: string): string[] {
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS)
    throw invalidField(`keys must be a list of 1 to ${MAX_KEYS} keys`);
  for (const key of keys as readonly unknown[]) {
    if (typeof key !== 'string' || !key.startsWith(prefix))
      throw invalidField('each of keys must be a text that begins with the prefix');
    checkKey(key);
  }
  // In the order of the index, and each once.
  return [...new Set(keys as string[])].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function classIn({ class: given }: Fields): StorageClass {
  if (typeof given !== 'number' || !isStorageClass(given))
    throw invalidField('class must be a storage class, 0 to 3');
  return given;
}

function placeIn(body: Fields, name: 'to' | 'zip'): Fields {
  const given = body[name];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidField(`${name} must be an object that says where to`);
  return given as Fields;
}

function bucketIn(body: Fields, name: string): string {
  const given = body[name];
  if (typeof given !== 'string') throw invalidField(`${name} must be the name of a bucket`);
  checkBucketName(given);
  return given;
}

function keyIn(body: Fields, name: string): string {
  const given = body[name];
  if (typeof given !== 'string') throw invalidField(`${name} must be a text`);
  checkKey(given);
  return given;
}

function flagIn(body: Fields, name: string): boolean {
  const given = body[name];
  if (typeof given !== 'boolean') throw invalidField(`${name} must be true or false`);
  return given;
}
