/** Who signed a request. Nothing of its body is read: a request that nobody signed costs its headers. */
import {
  type Credentials,
  createSigningKeys,
  type HoistedHeaders,
  readCredentials,
  S3Fault,
  verifyCredentials,
} from '@millpond/protocol/s3';
import type { Keyring } from '../../identity/accounts/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { RequestContext } from '../../platform/web/index.ts';
import { queryOf, type S3Address, type S3Request } from './s3.request.ts';

export interface IdentifyDeps {
  readonly keyring: Keyring;
  /** Presigned URLs and forms of the older version, which some clients still make. */
  readonly allowsV2: boolean;
}

export type Identify = (
  context: RequestContext,
  place: S3Address,
  hostBucket: string | undefined,
) => Promise<S3Request>;

export function identifier({ keyring, allowsV2 }: IdentifyDeps): Identify {
  const signingKeyOf = createSigningKeys(nodeHashing);
  return async (call, place, hostBucket) => {
    const { path, query } = call.target;
    const { method = '', rawHeaders } = call.request;
    const credentials = readCredentials(
      { method, path, query, rawHeaders, bucketOfHost: hostBucket },
      { allowsV2 },
    );
    const request = { context: call, method, place, query: queryOf(query), payload: credentials.payload };
    const read = headersOf(call, hoistedIn(credentials));
    if (credentials.kind === 'anonymous')
      return { ...request, ...read, identity: undefined, chunkSigning: undefined, isPresigned: false };
    const key = await keyring.find(credentials.accessKey);
    if (key === undefined)
      throw new S3Fault('InvalidAccessKeyId', { details: { AWSAccessKeyId: credentials.accessKey } });
    const chunkSigning = verifyCredentials(nodeHashing, credentials, key.secretKey, {
      now: Date.now(),
      signingKeyOf,
    });
    keyring.used(key, call.peer.address);
    return {
      ...request,
      ...read,
      identity: { key },
      chunkSigning,
      isPresigned: credentials.kind !== 'header',
    };
  };
}

function hoistedIn(credentials: Credentials): HoistedHeaders {
  return 'hoisted' in credentials ? credentials.hoisted : [];
}

function headersOf(context: RequestContext, hoisted: HoistedHeaders): Pick<S3Request, 'header' | 'headers'> {
  const { headers } = context.request;
  const moved = new Map(hoisted);
  const header = (name: string) => {
    const value = headers[name];
    return (typeof value === 'string' ? value : value?.join(',')) ?? moved.get(name);
  };
  return {
    header,
    headers: () =>
      [...new Set([...Object.keys(headers), ...moved.keys()])].map(
        (name) => [name, header(name) ?? ''] as const,
      ),
  };
}
