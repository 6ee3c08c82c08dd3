/** The request of an asynchronous fetch: the JSON body of the call, parsed strictly, and stored as parsed. */
import {
  checkKey,
  DEFAULT_CALLBACK_BODY_TYPE,
  decodeJson,
  Fault,
  isStorageClass,
  type PolicyCallback,
  parseEtag,
  readCallback,
  STORAGE_CLASS_TEXT,
  splitUrls,
} from '@millpond/protocol';

export interface AsyncCallback {
  readonly callbackUrl: string;
  readonly callbackBody: string;
  readonly callbackBodyType: string;
  readonly callbackHost?: string | undefined;
}

export interface AsyncRequest {
  readonly urls: readonly string[];
  readonly host?: string | undefined;
  readonly bucket: string;
  /** Undefined: named by its hash. */
  readonly key?: string | undefined;
  /** Lower-case hexadecimal. */
  readonly md5?: string | undefined;
  readonly etag?: string | undefined;
  readonly storageClass: number;
  /** Leaves an existing object alone. */
  readonly ignoreSameKey: boolean;
  readonly callback?: AsyncCallback | undefined;
}

const MAX_URLS = 10;

export function readAsyncRequest(body: Uint8Array): AsyncRequest {
  const fields = parse(body);
  const urls = splitUrls(text(fields, 'url') ?? rejectRequest('url is required'));
  if (urls.length > MAX_URLS) rejectRequest(`url names more than ${MAX_URLS} URLs`);
  const key = text(fields, 'key');
  if (key !== undefined) checkKey(key);
  const md5 = text(fields, 'md5')?.toLowerCase();
  if (md5 !== undefined && !/^[0-9a-f]{32}$/.test(md5)) rejectRequest('md5 must be 32 hexadecimal digits');
  const etag = text(fields, 'etag');
  if (etag !== undefined) parseEtag(etag);
  return {
    urls,
    host: text(fields, 'host'),
    bucket: text(fields, 'bucket') ?? rejectRequest('bucket is required'),
    key,
    md5,
    etag,
    storageClass: storageClass(fields.file_type ?? 0),
    ignoreSameKey: flag(fields.ignore_same_key ?? false),
    callback: callback(fields),
  };
}

/** A callback is checked like an upload's, but here the fault is a bad argument, not a bad policy. */
export function parseCallback(callback: AsyncCallback): PolicyCallback {
  try {
    return readCallback(callback);
  } catch (error) {
    throw asArgument(error);
  }
}

export function asArgument(error: unknown): unknown {
  if (!(error instanceof Fault) || error.fault !== 'invalidPolicy') return error;
  return new Fault('invalidArgument', { hint: error.hint ?? error.message });
}

function callback(fields: Record<string, unknown>): AsyncCallback | undefined {
  const callbackUrl = text(fields, 'callbackurl');
  if (callbackUrl === undefined) return undefined;
  const read = {
    callbackUrl,
    callbackBody: text(fields, 'callbackbody') ?? rejectRequest('callbackurl needs callbackbody'),
    callbackBodyType: text(fields, 'callbackbodytype') ?? DEFAULT_CALLBACK_BODY_TYPE,
    callbackHost: text(fields, 'callbackhost'),
  };
  parseCallback(read);
  return read;
}

function parse(body: Uint8Array): Record<string, unknown> {
  const value = decodeJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return rejectRequest('the body is not a JSON object in UTF-8');
}

/** Clients send the empty string for what they leave out. */
function text(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0'))
    return rejectRequest(`${name} must be a string`);
  return value;
}

function storageClass(value: unknown): number {
  if (!isStorageClass(value))
    return rejectRequest(`file_type must be a storage class: ${STORAGE_CLASS_TEXT}`);
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') return rejectRequest('ignore_same_key must be true or false');
  return value;
}

function rejectRequest(hint: string): never {
  throw new Fault('invalidArgument', { hint });
}
