/**
 * A file on its way from somebody's server into the blob store, through the guarded client. Bytes stream: they are
 * hashed as they pass and held nowhere. What did not come whole leaves no blob behind.
 */
import { createHash } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { type BlobId, type BlobStore, newBlobId, type Tier } from '../../platform/blobs/index.ts';
import { type OpenAnswer, type Outbound, OutboundFault } from '../../platform/outbound/index.ts';
import { Intake, type Received } from '../objects/index.ts';
import { carriedHeaders } from './carried-headers.ts';

export interface OriginDeps {
  readonly outbound: Outbound;
  readonly blobs: BlobStore;
  readonly maxBytes: number;
}

/** Where a file may be had, and how it is asked for. */
export interface Source {
  /** Asked in this order, until one gives the whole file. */
  readonly urls: readonly string[];
  readonly host: string | undefined;
  readonly redirects: 0 | 3;
  /** For all of them together. */
  readonly timeoutMs: number;
  readonly tier: Tier;
  /** Refuses a file that is not the one that was asked for, before it is made durable. */
  readonly check?: ((content: Received, md5: string) => void) | undefined;
}

export interface FetchedFile extends Received {
  readonly blobId: BlobId;
  /** The URL that gave it, as it was asked. */
  readonly url: string;
  /** What the origin calls it. */
  readonly contentType: string | undefined;
  /** What else the origin says of it, by names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Lookup, connection and TLS. One number for all: connections are kept by it. */
const CONNECT_MS = 10_000;
/** So long an origin may say nothing, however long its file may take: what it holds meanwhile, others wait for. */
const PATIENCE_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
const HOPELESS: ReadonlySet<string> = new Set(['blocked', 'tooLarge']);
const REFUSALS: ReadonlySet<string> = new Set(['notFound', 'originFailed', 'contentModified']);

/** Durable when it resolves. Rejects with `notFound` where every origin says 404, else with `originFailed`. */
export async function fetchFile(deps: OriginDeps, source: Source, signal: AbortSignal): Promise<FetchedFile> {
  const end = performance.now() + source.timeoutMs;
  let refusal: Fault | undefined;
  for (const [index, url] of source.urls.entries()) {
    const left = end - performance.now();
    if (left <= 0) break;
    try {
      // Whoever says nothing may not use up the time of those who come after.
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
  { host, redirects, tier, check }: Source,
  url: string,
  { totalMs, patienceMs }: { totalMs: number; patienceMs: number },
  signal: AbortSignal,
): Promise<FetchedFile> {
  const answer = await outbound.open({
    url,
    method: 'GET',
    hostOverride: host,
    redirects,
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
  refuseStatus(answer);
  const blobId = newBlobId();
  // The client has counted already.
  const intake = new Intake(Number.MAX_SAFE_INTEGER, { crc32: false });
  const md5 = check === undefined ? undefined : createHash('md5');
  const writer = blobs.openWriter(blobId, { tier, signal });
  try {
    for await (const chunk of answer.body) {
      intake.take(asBuffer(chunk));
      md5?.update(chunk);
      await writer.write(chunk);
    }
    const received = intake.finish();
    check?.(received, md5?.digest('hex') ?? '');
    await writer.finish();
    const contentType = textOf(answer.headers['content-type']);
    return { ...received, blobId, url, contentType, headers: carriedHeaders(answer.headers) };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function refuseStatus({ status, body }: OpenAnswer): void {
  if (status === 200) return;
  body.cancel();
  if (status === 404) throw new Fault('notFound', { hint: 'the origin has no such file' });
  throw new Fault('originFailed', { hint: `the origin answered ${status}` });
}

/** What the origin is to blame for. Anything else is thrown on: our own failures are not the origin's. */
function refusalOf(error: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) throw signal.reason;
  if (error instanceof Fault && REFUSALS.has(error.fault)) return error;
  if (!(error instanceof OutboundFault) || error.kind === 'aborted') throw error;
  return new Fault('originFailed', { hint: error.detail, cause: error });
}

/**
 * That one of them does not have the file says nothing while another could not be asked, and that one will never give it says
 * nothing while another may yet.
 */
function weightOf(fault: Fault): number {
  if (!isFinal(fault)) return 2;
  return fault.fault === 'notFound' ? 0 : 1;
}

/** Whether it would be no use to try again. */
export function isFinal({ fault, cause }: Fault): boolean {
  return fault !== 'originFailed' || (cause instanceof OutboundFault && HOPELESS.has(cause.kind));
}

/** What must be known of a file before it becomes an object; where it can't be, its bytes are given up. */
export async function orDiscard<T>(
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

/** Bytes that were stored and are not to be an object after all. Should it fail, the sweep finds them. */
export async function discard(blobs: BlobStore, { blobId }: FetchedFile): Promise<void> {
  await blobs.remove([blobId]).catch(() => undefined);
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
