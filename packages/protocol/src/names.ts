/**
 * Valid names for keys and buckets. Keys are kept exactly as given: no normalisation, byte order. Whatever text passes
 * `checkKey` can be stored, listed and written back without loss.
 */
import { decodeBase64Text } from './base64.ts';
import { Fault } from './errors/fault.ts';
import { MAX_KEY_BYTES } from './limits/limits.ts';
import { utf8Length } from './utf8.ts';

/** The empty key is valid. */
export function checkKey(key: string): void {
  // A lone surrogate, say from a JSON body, would be stored as U+FFFD and so name another object.
  if (!key.isWellFormed()) throw new Fault('keyNotUtf8');
  if (key.includes('\0')) throw new Fault('invalidArgument', { detail: 'a key must not contain NUL' });
  if (utf8Length(key) > MAX_KEY_BYTES) {
    throw new Fault('invalidArgument', { detail: `a key must be at most ${MAX_KEY_BYTES} bytes long` });
  }
}

/** Reads a key that is URL-safe Base64 by itself, as in the paths of resumable uploads. */
export function decodeKey(encoded: string): string {
  const key = decodeBase64Text(encoded, () => new Fault('keyNotUtf8'));
  checkKey(key);
  return key;
}

// A bucket is also a DNS label, `<bucket>.<download suffix>`, so it can't begin or end with a hyphen.
const BUCKET_NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * First path segments of our own routes, and names of our hosts: one listener may serve all roles, and then
 * `/<bucket>/<key>` must not be mistaken for a call, nor `<bucket>.<suffix>` for a host. Only names that a bucket could
 * have are listed; routes with capitals are listed in lower case.
 */
const RESERVED_BUCKET_NAMES: ReadonlySet<string> = new Set([
  // Objects
  'stat',
  'delete',
  'copy',
  'move',
  'chgm',
  'chtype',
  'chstatus',
  'restorear',
  'deleteafterdays',
  'lifecycle',
  'batch',
  'list',
  'fetch',
  'prefetch',
  'sisyphus',
  // Uploads and processing
  'mkblk',
  'bput',
  'mkfile',
  'rs-mkfile',
  'putb64',
  'pfop',
  'status',
  // Buckets and regions
  'buckets',
  'bucket',
  'mkbucketv3',
  'drop',
  'private',
  'image',
  'unimage',
  'domains',
  'domain',
  'rules',
  'corsrules',
  'eventrules',
  'maxage',
  'accessmode',
  'setbucketquota',
  'getbucketquota',
  'buckettagging',
  'regions',
  'query',
  'publish',
  'unpublish',
  // Accounts
  'oauth2',
  'user',
  'agency',
  'login',
  'logout',
  // The server itself
  'healthz',
  'readyz',
  'metrics',
  'health',
  'ready',
  'openapi',
  'docs',
  'assets',
  'static',
  'well-known',
  // Hosts
  'rsf',
  'api',
  'auth',
  'live',
  'console',
  'upload',
  'download',
  'iovip',
  'www',
  'admin',
  'localhost',
]);

/** Whether the name is valid for a bucket; reserved names count as valid too. */
export function isBucketName(name: string): boolean {
  return BUCKET_NAME.test(name);
}

export function checkBucketName(name: string): void {
  if (!BUCKET_NAME.test(name)) {
    throw new Fault('invalidBucketName', {
      hint: '3 to 63 lower-case letters, digits and hyphens, a letter or digit at both ends',
    });
  }
  if (RESERVED_BUCKET_NAMES.has(name)) throw new Fault('invalidBucketName', { hint: 'the name is reserved' });
}
