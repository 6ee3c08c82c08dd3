/** The object that an upload creates: its key, types and metadata, from the policy, the client's input, and the content. */
import {
  checkKey,
  chooseName,
  DEFAULT_MIME_TYPE,
  type Dialect,
  decideMimeType,
  detectedMimeType,
  EMPTY_METADATA,
  evaluateScope,
  Fault,
  finishName,
  limitedMimeType,
  mergeMetadata,
  midnightAfter,
  mimeOfExtension,
  nameValues,
  sniffMimeType,
  storedMimeType,
  timeValues,
  type UploadPolicy,
} from '@millpond/protocol';
import { readMetadataPair } from '../../storage/objects/index.ts';
import type { FinishedUpload } from './finished-upload.ts';
import type { VerifiedUploadToken } from './upload-token.ts';

export interface ObjectDescription {
  readonly key: string;
  readonly mode: 'insert' | 'overwrite';
  readonly mimeType: string;
  readonly detectedType: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
  /** Response headers for downloads of it. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly expiresAt: Date | undefined;
}

export interface DescribeOptions {
  readonly dialect: Pick<Dialect, 'setsOtherHeaders'>;
  /** A key that a callback decided. */
  readonly givenKey?: string;
}

/** Applies every rule of the policy to the finished upload. */
export function describeObject(
  permit: VerifiedUploadToken,
  finished: FinishedUpload,
  { dialect, givenKey }: DescribeOptions,
): ObjectDescription {
  const { policy } = permit;
  if (policy.fsizeMin !== undefined && finished.size < policy.fsizeMin) {
    throw new Fault('fileTooSmall', { hint: `at least ${policy.fsizeMin} bytes are required` });
  }
  const types = typesOf(policy, finished);
  const key = givenKey ?? keyOf(permit, finished, types.mimeType);
  checkKey(key);
  const { allowed, mode } = evaluateScope(policy, key, finished.way === 'form' ? 'form' : 'multipart');
  if (!allowed) throw new Fault('scopeMismatch');
  return { key, mode, ...types, ...metadataOf(policy, finished, dialect), expiresAt: expiryOf(policy) };
}

function typesOf(policy: UploadPolicy, finished: FinishedUpload): { mimeType: string; detectedType: string } {
  const { fileName, key } = finished;
  const candidates = {
    client: clientType(policy, finished),
    fileExtension: fileName === undefined ? undefined : mimeOfExtension(fileName),
    keyExtension: key === undefined ? undefined : mimeOfExtension(key),
    content: sniffMimeType(finished.head),
  };
  const types = {
    mimeType: decideMimeType(policy.detectMime, candidates),
    detectedType: detectedMimeType(candidates),
  };
  const { mimeLimit } = policy;
  if (mimeLimit === undefined) return types;
  const limited = limitedMimeType(mimeLimit, candidates);
  if (limited === undefined) throw new Fault('mimeTypeForbidden');
  // The object is served as this type: an image that the client declares as a page would be a page in browsers.
  const within = (type: string) => storedMimeType(mimeLimit, limited, type);
  return { mimeType: within(types.mimeType), detectedType: within(types.detectedType) };
}

/** The default type that encoders give unknown files says nothing, unless the policy takes the client's word. */
function clientType(policy: UploadPolicy, { mimeType }: FinishedUpload): string | undefined {
  return mimeType === DEFAULT_MIME_TYPE && policy.detectMime === 0 ? undefined : mimeType;
}

function keyOf({ policy, bucket }: VerifiedUploadToken, finished: FinishedUpload, mimeType: string): string {
  const values = {
    ...finished.customVariables,
    ...nameValues({ fname: finished.fileName, key: finished.key, mimeType }),
    ...timeValues(Date.now() / 1000),
    bucket: bucket.name,
    etag: finished.hash,
    fsize: finished.size,
    endUser: policy.endUser,
  };
  return finishName(chooseName(policy, finished.key), values, finished.hash);
}

/** Response headers named by the policy are as it says; the client decides the rest. */
function metadataOf(
  { responseHeaders }: UploadPolicy,
  { metadata }: FinishedUpload,
  dialect: DescribeOptions['dialect'],
): Pick<ObjectDescription, 'meta' | 'headers'> {
  const given = Object.entries(metadata);
  const fixed = Object.entries(responseHeaders);
  if (given.length === 0 && fixed.length === 0) return { meta: undefined, headers: undefined };
  const said = mergeMetadata(
    EMPTY_METADATA,
    given.map(([name, value]) => readMetadataPair(name, value, dialect)),
  );
  const { meta, headers } = mergeMetadata(
    said,
    fixed.map(([name, value = '']) => readMetadataPair(`!${name}`, value, dialect)),
  );
  return { meta: unlessEmpty(meta), headers: unlessEmpty(headers) };
}

function unlessEmpty(pairs: Readonly<Record<string, string>>): ObjectDescription['meta'] {
  return Object.keys(pairs).length === 0 ? undefined : pairs;
}

/** The midnight after this many days, in the service's time zone. */
function expiryOf({ deleteAfterDays }: UploadPolicy): Date | undefined {
  return deleteAfterDays === undefined ? undefined : midnightAfter(deleteAfterDays);
}
