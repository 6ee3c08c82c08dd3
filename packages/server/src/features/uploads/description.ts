/** The object that an upload makes: its key, types and metadata, from the policy, what the client said, and the content. */
import {
  allowsMimeType,
  checkKey,
  chooseName,
  DEFAULT_MIME_TYPE,
  decideMimeType,
  detectedMimeType,
  EMPTY_METADATA,
  Fault,
  finishName,
  judgeScope,
  mergeMetadata,
  mimeOfExtension,
  nameValues,
  parseMetadataChange,
  sniffMimeType,
  timeValues,
  type UploadPolicy,
} from '@millpond/protocol';
import type { UploadFacts } from './facts.ts';
import type { Permit } from './permit.ts';

export interface Description {
  readonly key: string;
  readonly mode: 'insert' | 'overwrite';
  readonly mimeType: string;
  readonly detectedType: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
  readonly expiresAt: Date | undefined;
}

const DAY_MS = 86_400_000;

/** Every rule of the policy on the finished upload; `givenKey` is one that a callback decided on. */
export function describe(permit: Permit, facts: UploadFacts, givenKey?: string): Description {
  const { policy } = permit;
  if (policy.fsizeMin !== undefined && facts.size < policy.fsizeMin) {
    throw new Fault('fileTooSmall', { hint: `at least ${policy.fsizeMin} bytes are asked for` });
  }
  const types = typesOf(policy, facts);
  const key = givenKey ?? keyOf(permit, facts, types.mimeType);
  checkKey(key);
  const { allowed, mode } = judgeScope(policy, key, facts.way);
  if (!allowed) throw new Fault('scopeMismatch');
  return { key, mode, ...types, meta: metadataOf(facts), expiresAt: expiryOf(policy) };
}

function typesOf(policy: UploadPolicy, facts: UploadFacts): { mimeType: string; detectedType: string } {
  const { fileName, key } = facts;
  const candidates = {
    client: clientType(policy, facts),
    fileExtension: fileName === undefined ? undefined : mimeOfExtension(fileName),
    keyExtension: key === undefined ? undefined : mimeOfExtension(key),
    content: sniffMimeType(facts.head),
  };
  const detectedType = detectedMimeType(candidates);
  const isAllowed = (type: string) =>
    policy.mimeLimit === undefined || allowsMimeType(policy.mimeLimit, type);
  if (!isAllowed(detectedType)) throw new Fault('mimeTypeForbidden');
  const mimeType = decideMimeType(policy.detectMime, candidates);
  // It is served under this type: a picture that the client calls a page would be one in browsers.
  return { mimeType: isAllowed(mimeType) ? mimeType : detectedType, detectedType };
}

/** What an encoder says of a file it knows nothing about says nothing, unless the policy takes the client's word. */
function clientType(policy: UploadPolicy, { mimeType }: UploadFacts): string | undefined {
  return mimeType === DEFAULT_MIME_TYPE && policy.detectMime === 0 ? undefined : mimeType;
}

function keyOf({ policy, bucket }: Permit, facts: UploadFacts, mimeType: string): string {
  const values = {
    ...facts.customVariables,
    ...nameValues({ fname: facts.fileName, key: facts.key, mimeType }),
    ...timeValues(Date.now() / 1000),
    bucket: bucket.name,
    etag: facts.hash,
    fsize: facts.size,
    endUser: policy.endUser,
  };
  return finishName(chooseName(policy, facts.key), values, facts.hash);
}

function metadataOf({ metadata }: UploadFacts): Description['meta'] {
  const changes = Object.entries(metadata).map(([name, value]) => parseMetadataChange(name, value));
  if (changes.length === 0) return undefined;
  const { meta, headers } = mergeMetadata(EMPTY_METADATA, changes);
  if (Object.keys(headers).length > 0)
    throw new Fault('invalidArgument', { hint: 'response headers can’t be set by an upload' });
  return meta;
}

/** The midnight after so many days, in the service's zone. */
function expiryOf({ deleteAfterDays }: UploadPolicy): Date | undefined {
  if (deleteAfterDays === undefined) return undefined;
  return new Date(Math.ceil((Date.now() + deleteAfterDays * DAY_MS) / DAY_MS) * DAY_MS);
}
