/**
 * The fields of the upload policy: type, limits and meaning. The parser reads types and limits from here, and the
 * reference page is generated from it.
 */
import { type ResponseHeaders, responseHeaderNames } from '../http/response-headers.ts';
import { MAX_KEY_BYTES, MAX_OBJECT_DAYS, MAX_SCOPE_BYTES } from '../limits/limits.ts';
import { STORAGE_CLASS_TEXT, storageClasses } from '../storage-classes.ts';

export type PolicyFieldType = 'text' | 'integer' | 'flag' | 'texts' | 'headers';

export interface PolicyField {
  readonly type: PolicyFieldType;
  readonly meaning: string;
  /** Maximum bytes of a text, or of each entry of a list of texts. */
  readonly maxBytes?: number;
  readonly maxEntries?: number;
  readonly min?: number;
  readonly max?: number;
  /** Read, but has no effect. */
  readonly ignored?: true;
}

const BODY_BYTES = 64 * 1024;
const URL_BYTES = 2048;
/** The last second of the year 9999. A time in milliseconds is far above it. */
const LAST_DEADLINE = 253_402_300_799;
/** Sizes are 64-bit on the wire; nothing is that large, so such values count as the largest exact number. */
const LAST_SIZE = 2 ** 63;

export const policyFields = {
  scope: {
    type: 'text',
    maxBytes: MAX_SCOPE_BYTES,
    meaning:
      'required; `bucket`: new objects only; `bucket:key`: that key, overwriting allowed; `bucket:prefix` with isPrefixalScope: keys that begin with it, never overwriting',
  },
  isPrefixalScope: { type: 'integer', min: 0, meaning: '1: scope names a prefix' },
  deadline: {
    type: 'integer',
    min: 0,
    max: LAST_DEADLINE,
    meaning:
      'required; end of validity, unix time in seconds; checked at the start and when the object is created',
  },
  insertOnly: { type: 'integer', min: 0, meaning: 'not 0: no upload overwrites, whatever the scope' },
  endUser: { type: 'text', maxBytes: 1024, meaning: 'owner of the object, as named by the application' },
  returnUrl: {
    type: 'text',
    maxBytes: URL_BYTES,
    meaning: 'where a browser is redirected after the upload (303), with the answer in `upload_ret`',
  },
  returnBody: {
    type: 'text',
    maxBytes: BODY_BYTES,
    meaning: 'template of the answer, JSON; has no effect with callbackUrl',
  },
  callbackUrl: {
    type: 'text',
    maxBytes: 5 * URL_BYTES + 4,
    meaning:
      'called after the upload; its JSON answer becomes the answer of the upload; up to 5, separated by `;`, tried in turn',
  },
  callbackHost: { type: 'text', maxBytes: 255, meaning: 'Host header of the callback' },
  callbackBody: { type: 'text', maxBytes: BODY_BYTES, meaning: 'template of the callback body' },
  callbackBodyType: {
    type: 'text',
    maxBytes: 200,
    meaning: '`application/x-www-form-urlencoded` (default) or `application/json`',
  },
  callbackFetchKey: {
    type: 'integer',
    min: 0,
    max: 1,
    meaning: '1: the callback is sent first, and its answer names the key',
  },
  persistentOps: {
    type: 'text',
    maxBytes: BODY_BYTES,
    meaning: 'processing commands to run on the object, separated by `;`; needs persistentNotifyUrl',
  },
  persistentNotifyUrl: {
    type: 'text',
    maxBytes: URL_BYTES,
    meaning: 'receives the result of the processing',
  },
  persistentPipeline: {
    type: 'text',
    maxBytes: 255,
    meaning: 'queue of the task; empty or 0.default: the shared one',
  },
  persistentType: {
    type: 'integer',
    min: 0,
    max: 1,
    meaning: '0: normal task; 1: idle-time task, without a pipeline',
  },
  persistentWorkflowTemplateID: {
    type: 'text',
    maxBytes: 255,
    meaning: 'workflow template to run instead of persistentOps',
  },
  persistentOpsForce: {
    type: 'integer',
    min: 0,
    max: 1,
    meaning:
      '1: results replace existing objects; else an object that is already under the key of a result stays, and is the result (`returnOld` 1)',
  },
  saveKey: { type: 'text', maxBytes: 4096, meaning: 'template of the key, used when the client sends none' },
  forceSaveKey: { type: 'flag', meaning: 'saveKey names the object even if the client sends a key' },
  fsizeMin: { type: 'integer', min: 0, max: LAST_SIZE, meaning: 'smallest size in bytes' },
  fsizeLimit: { type: 'integer', min: 0, max: LAST_SIZE, meaning: 'largest size in bytes' },
  detectMime: {
    type: 'integer',
    min: -1,
    max: 1,
    meaning:
      "0: the client's MIME type, else from file extension, key extension, content; 1: from content, file extension, key extension; -1: the client's",
  },
  mimeLimit: {
    type: 'text',
    maxBytes: 4096,
    meaning:
      'allowed types, such as `image/*` or `image/jpeg;image/png`; with `!` in front, forbidden ones. The content decides; a name alone never makes it an image, audio or video',
  },
  fileType: {
    type: 'integer',
    min: 0,
    max: storageClasses.length - 1,
    meaning: `storage class: ${STORAGE_CLASS_TEXT}`,
  },
  deleteAfterDays: {
    type: 'integer',
    min: 1,
    max: MAX_OBJECT_DAYS,
    meaning: 'the object is deleted after this many days',
  },
  trafficLimit: {
    type: 'integer',
    min: 819_200,
    max: 838_860_800,
    meaning: 'speed limit of this upload in bit/s',
  },
  keylimit: {
    type: 'texts',
    maxBytes: MAX_KEY_BYTES,
    maxEntries: 20,
    meaning: 'the only keys that may be written; the client must then send one of them',
  },
  responseHeaders: {
    type: 'headers',
    meaning: `headers of the object's downloads, by name: ${responseHeaderNames.map((name) => `\`${name}\``).join(', ')}; for headers named here the client's own values are ignored; an empty text: no such header`,
  },
  transform: { type: 'text', ignored: true, meaning: 'no effect: use persistentOps' },
  transformFallbackMode: { type: 'text', ignored: true, meaning: 'no effect: use persistentOps' },
  transformFallbackKey: { type: 'text', ignored: true, meaning: 'no effect: use persistentOps' },
} as const satisfies Record<string, PolicyField>;

export type PolicyFieldName = keyof typeof policyFields;

interface ValueByType {
  text: string;
  integer: number;
  flag: boolean;
  texts: readonly string[];
  headers: ResponseHeaders;
}

/** A policy as it is written: what a signer fills in. */
export type PolicyFields = {
  readonly [Name in PolicyFieldName]?: ValueByType[(typeof policyFields)[Name]['type']] | undefined;
};
