/**
 * Transfers a file from another server to the blob store, through the guarded client. Bytes are streamed: they are
 * hashed in passing and never buffered, except those of a small blob, which are committed with their object. An incomplete file leaves no blob behind.
 */
import { createHash } from 'node:crypto';
import type { BlobId, BlobStore, Tier } from '@millpond/blobs';
import {
  type OutboundClient,
  OutboundError,
  type OutboundHeaders,
  type StreamingResponse,
} from '@millpond/outbound';
import { Fault, MAX_RESPONSE_HEADERS_BYTES, responseHeaderProblem } from '@millpond/protocol';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import { BodyDigest, type DigestedBody } from '../../storage/objects/index.ts';

export interface OriginDeps {
  readonly outbound: OutboundClient;
  readonly blobs: ObjectBlobs;
  readonly maxBytes: number;
}

/** Where to get a file, and how to request it. */
export interface Source {
  /** Tried in this order, until one gives the whole file. */
  readonly urls: readonly string[];
  readonly host: string | undefined;
  readonly redirects: 0 | 3;
  /** For all URLs together. */
  readonly timeoutMs: number;
  readonly tier: Tier;
  /** Whose fetch it is. */
  readonly party: bigint;
  /** Refuses a file that is not the requested one, before it is made durable. */
  readonly check?: ((content: DigestedBody, md5: string) => void) | undefined;
}

export interface FetchedFile extends DigestedBody {
  readonly blobId: BlobId;
  /** The bytes of a small blob, which are to be committed. */
  readonly inline?: Buffer | undefined;
  /** The URL that gave it, as requested. */
  readonly url: string;
  /** The type that the origin states. */
  readonly contentType: string | undefined;
  /** Other headers of the origin, by lower-case name. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Covers lookup, connection and TLS. One value for all: connections are pooled by it. */
const CONNECT_MS = 10_000;
/** How long an origin may be silent, however long its file may take: others wait for what it occupies. */
const PATIENCE_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
const HOPELESS: ReadonlySet<string> = new Set(['blocked', 'tooLarge']);
const REFUSALS: ReadonlySet<string> = new Set(['notFound', 'originFailed', 'contentModified']);

/** Durable when it resolves. Rejects with `notFound` if every origin answers 404, otherwise with `originFailed`. */
export async function fetchFile(deps: OriginDeps, source: Source, signal: AbortSignal): Promise<FetchedFile> {
  const end = performance.now() + source.timeoutMs;
  let refusal: Fault | undefined;
  for (const [index, url] of source.urls.entries()) {
    const left = end - performance.now();
    if (left <= 0) break;
    try {
      // A silent origin may not use up the time of those after it.
      const patienceMs = Math.min(PATIENCE_MS, left / (source.urls.length - index));
      return await fetchOne(deps, source, url, { totalMs: left, patienceMs }, signal);
    } catch (error) {
      const fault = refusalOf(error, signal);
      if (refusal === undefined || weightOf(fault) >= weightOf(refusal)) refusal = fault;
    }
  }
  throw refusal ?? new Fault('originFailed', { hint: 'the origin took too long' });
}

async function fetchOne(
  { outbound, blobs, maxBytes }: OriginDeps,
  { host, redirects, tier, party, check }: Source,
  url: string,
  { totalMs, patienceMs }: { totalMs: number; patienceMs: number },
  signal: AbortSignal,
): Promise<FetchedFile> {
  const answer = await outbound.open({
    url,
    method: 'GET',
    hostOverride: host,
    redirects,
    party,
    limits: {
      connectMs: CONNECT_MS,
      headersMs: patienceMs,
      idleMs: patienceMs,
      totalMs,
      maxBodyBytes: maxBytes,
      maxHeaderBytes: MAX_HEADER_BYTES,
    },
    signal,
  });
  assertOk(answer);
  // The client has already enforced the limit.
  const digest = new BodyDigest(Number.MAX_SAFE_INTEGER, { crc32: false });
  const md5 = check === undefined ? undefined : createHash('md5');
  const writer = blobs.openBody({ tier, signal });
  try {
    for await (const chunk of answer.body) {
      digest.update(asBuffer(chunk));
      md5?.update(chunk);
      await writer.write(chunk);
    }
    const digestedBody = digest.finish();
    check?.(digestedBody, md5?.digest('hex') ?? '');
    const stored = await writer.finish();
    const contentType = textOf(answer.headers['content-type']);
    return { ...digestedBody, ...stored, url, contentType, headers: storedOriginHeaders(answer.headers) };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function assertOk({ status, body }: StreamingResponse): void {
  if (status === 200) return;
  body.cancel();
  if (status === 404) throw new Fault('notFound', { hint: 'the origin has no such file' });
  throw new Fault('originFailed', { hint: `the origin answered ${status}` });
}

/** The origin's fault. Anything else is rethrown: our own failures are not the origin's. */
function refusalOf(error: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) throw signal.reason;
  if (error instanceof Fault && REFUSALS.has(error.fault)) return error;
  if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
  return new Fault('originFailed', { hint: error.detail, cause: error });
}

/**
 * That one origin lacks the file means nothing while another could not be reached. That one will never give it means
 * nothing while another still may.
 */
function weightOf(fault: Fault): number {
  if (!isPermanent(fault)) return 2;
  return fault.fault === 'notFound' ? 0 : 1;
}

/** Whether a retry would be useless. */
export function isPermanent({ fault, cause }: Fault): boolean {
  return fault !== 'originFailed' || (cause instanceof OutboundError && HOPELESS.has(cause.kind));
}

/** Looks up what must be known before a file becomes an object; if that fails, discards its bytes. */
export async function discardBlobOnError<T>(
  blobs: BlobStore,
  file: FetchedFile,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    await discard(blobs, file);
    throw error;
  }
}

/** Removes stored bytes that will not become an object after all. If this fails, the sweep finds them. */
export async function discard(blobs: BlobStore, { blobId }: FetchedFile): Promise<void> {
  await blobs.remove([blobId]).catch(() => undefined);
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** In order of priority, if together they are too long. */
const CARRIED = ['content-encoding', 'content-disposition', 'content-language', 'cache-control', 'expires'];

/** A value that is not allowed in our headers counts as absent. */
export function storedOriginHeaders(answered: OutboundHeaders): Readonly<Record<string, string>> | undefined {
  const carried: Record<string, string> = {};
  let room = MAX_RESPONSE_HEADERS_BYTES;
  for (const name of CARRIED) {
    const value = [answered[name] ?? []].flat().join(', ');
    if (value === '' || responseHeaderProblem(name, value) !== undefined) continue;
    if (name.length + value.length > room) continue;
    room -= name.length + value.length;
    carried[name] = value;
  }
  return Object.keys(carried).length === 0 ? undefined : carried;
}
