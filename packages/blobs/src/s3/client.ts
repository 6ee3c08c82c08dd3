/**
 * The engine as signed calls with path-style addresses: two bounded pools of keep-alive connections (one for reading bodies, so
 * that slow readers cannot starve writes), signing, retries. No state is kept between calls.
 */
import { createHash, hash } from 'node:crypto';
import type { Tier } from '../store.ts';
import { responseError } from './faults.ts';
import { defaultLimits, type S3BlobOptions, type S3Limits } from './options.ts';
import { withRetries } from './retry.ts';
import { type BufferedResponse, exchange } from './send-buffered.ts';
import { canonicalQuery, createSigner, type PresignRequest } from './sigv4.ts';
import type { EngineRequest, Method, Transport } from './transport.ts';
import { createDial } from './wire/dial.ts';
import { createWirePool } from './wire/pool.ts';

export interface S3Call {
  readonly method: Method;
  /** Engine key; without it the call is about the bucket. */
  readonly key?: string | undefined;
  readonly parameters?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Name, value, name, value…; lower-case names; all are signed. */
  readonly headers?: readonly string[] | undefined;
  readonly body?: readonly Uint8Array[] | undefined;
  /** MD5 of the body, if it is known already; else it is computed where writes are to be verified. */
  readonly md5?: Uint8Array | undefined;
  /** Statuses that count as an answer; any other is a fault. */
  readonly expect: readonly number[];
  readonly doing: string;
  readonly signal?: AbortSignal | undefined;
  readonly maxAnswerBytes?: number | undefined;
  /** false: one try only. */
  readonly retry?: boolean | undefined;
}

export interface S3Client {
  readonly limits: S3Limits;
  /** The engine's storage class of each tier. */
  readonly classes: Readonly<Record<Tier, string>>;
  /** Where reads of bodies go. */
  readonly readers: Transport;
  call(call: S3Call): Promise<BufferedResponse>;
  /** Signs a request that the caller dispatches; `unsigned` headers are sent along. */
  signGet(key: string, unsigned: readonly string[]): EngineRequest;
  presignedUrl(
    key: string,
    origin: string | undefined,
    request: Omit<PresignRequest, 'method' | 'host' | 'path'>,
  ): string;
  /** `/bucket/key`, as it goes into a copy source. */
  pathOf(key: string): string;
  close(): Promise<void>;
}

/** The class of objects that are put without naming one. */
export const STANDARD_CLASS = 'STANDARD';

const SMALL_ANSWER = 64 * 1024;
const VERIFY_SMALL = 64 * 1024;

export function createS3Client(options: S3BlobOptions): S3Client {
  const limits: S3Limits = { ...defaultLimits, ...options.limits };
  const endpoint = parseOrigin(options.endpoint);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(options.bucket))
    throw new TypeError('the name of the engine bucket is not a valid MILLPOND_S3_BUCKET');
  const signer = createSigner(options);
  const verifyUpTo = { always: Number.POSITIVE_INFINITY, small: VERIFY_SMALL, never: -1 }[
    options.verifyWrites ?? 'small'
  ];
  const dial = createDial(endpoint, options.certificateAuthority);
  const readers = createWirePool(endpoint.host, dial, limits.readConnections, limits);
  const others = createWirePool(endpoint.host, dial, limits.writeConnections, limits);
  const pathOf = (key: string): string => (key === '' ? `/${options.bucket}` : `/${options.bucket}/${key}`);

  async function attempt(call: S3Call, headers: readonly string[]): Promise<BufferedResponse> {
    const path = pathOf(call.key ?? '');
    const query = call.parameters ? canonicalQuery(call.parameters) : '';
    // Signed again for each try: the engine refuses dates that are too old.
    const signed = signer.sign(
      { method: call.method, host: endpoint.host, path, query, headers },
      Date.now(),
    );
    const { method, body, doing, signal, maxAnswerBytes = SMALL_ANSWER } = call;
    if (method === 'PUT' || method === 'POST') signed.push('content-length', String(sizeOf(body ?? [])));
    const target = query === '' ? path : `${path}?${query}`;
    const request = { method, path: target, headers: signed, body };
    const response = await exchange(others, request, { maxAnswerBytes, doing, signal });
    if (!call.expect.includes(response.status)) throw responseError(response.status, response.body, doing);
    return response;
  }

  return {
    limits,
    classes: { STANDARD: STANDARD_CLASS, COLD: options.coldClass ?? 'COLD' },
    readers,
    pathOf,

    async call(call) {
      const { body, md5 } = call;
      const headers = call.headers ? [...call.headers] : [];
      if (md5 !== undefined) headers.push('content-md5', Buffer.from(md5).toString('base64'));
      else if (body !== undefined && sizeOf(body) <= verifyUpTo) headers.push('content-md5', md5Of(body));
      if (call.retry === false) return attempt(call, headers);
      return withRetries(limits, call.signal, () => attempt(call, headers));
    },

    signGet(key, unsigned) {
      const path = pathOf(key);
      const signed = signer.sign(
        { method: 'GET', host: endpoint.host, path, query: '', headers: [] },
        Date.now(),
      );
      signed.push(...unsigned);
      return { method: 'GET', path, headers: signed };
    },

    presignedUrl(key, origin, request) {
      const target = origin === undefined ? endpoint : parseOrigin(origin);
      const path = pathOf(key);
      const query = signer.presign({ ...request, method: 'GET', host: target.host, path }, Date.now());
      return `${target.origin}${path}?${query}`;
    },

    async close() {
      await Promise.all([readers.close(), others.close()]);
    },
  };
}

function parseOrigin(text: string): URL {
  const url = URL.parse(text);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.username !== ''
  )
    throw new TypeError('the address of the engine must be http(s)://host[:port]');
  return url;
}

function sizeOf(body: readonly Uint8Array[]): number {
  return body.reduce((sum, chunk) => sum + chunk.length, 0);
}

function md5Of(body: readonly Uint8Array[]): string {
  const [first] = body;
  if (body.length === 1 && first) return hash('md5', first, 'base64');
  const digest = createHash('md5');
  for (const chunk of body) digest.update(chunk);
  return digest.digest('base64');
}
