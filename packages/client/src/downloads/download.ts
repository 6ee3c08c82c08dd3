/**
 * A download that survives a broken connection: it continues where it was, only if the object is still the same, and
 * checks what arrived against the object's hash where the hash allows it.
 */
import { createEtagStream, type EtagStream } from '@millpond/protocol';
import type { Digests } from '../core/digests.ts';
import { MillpondError } from '../core/error.ts';
import { refusalOf } from '../core/response-error.ts';
import { mayRetry, pause, type RetryOptions, withRetries } from '../core/retry.ts';
import type { Transport, TransportResponse } from '../core/transport.ts';

export interface DownloadOptions {
  /** First byte; default 0. */
  readonly start?: number | undefined;
  /** Byte after the last; default: to the end. */
  readonly end?: number | undefined;
  /** Only if the object still has this hash; otherwise 412. */
  readonly hash?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface Download {
  /** Size of the whole object; 0 if the response does not tell. */
  readonly size: number;
  /** Empty if the answer does not tell: then what arrives can't be checked, and a broken download can't continue. */
  readonly hash: string;
  readonly mimeType: string;
  readonly header: (name: string) => string | undefined;
  readonly reqid: string;
  /** Can be read once. Ends with an error unless all of it arrived as it was stored. */
  readonly content: AsyncIterable<Uint8Array>;
  /** All of `content`, in memory. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** All of `content`, read as UTF-8. */
  text(): Promise<string>;
  /** Drops content that nobody wants. */
  discard(): void;
}

export interface DownloadDeps {
  readonly transport: Transport;
  readonly digests: Digests;
}

/** `url` may be a function, for URLs that expire. */
export async function download(
  deps: DownloadDeps,
  url: string | (() => string),
  options: DownloadOptions = {},
): Promise<Download> {
  const start = options.start ?? 0;
  const first = await open(deps, url, options, start);
  const hash = hashOf(first) ?? options.hash ?? '';
  const content = contentOf(deps, url, { ...options, start, hash }, first);
  return {
    size: sizeOf(first, options) ?? 0,
    hash,
    mimeType: first.header('content-type') ?? '',
    header: (name) => first.header(name),
    reqid: first.header('x-reqid') ?? '',
    content,
    bytes: () => gathered(content),
    text: async () => new TextDecoder().decode(await gathered(content)),
    discard: () => first.discard(),
  };
}

async function open(
  { transport }: DownloadDeps,
  url: string | (() => string),
  { end, hash, headers = {}, signal, retry }: DownloadOptions,
  start: number,
): Promise<TransportResponse> {
  return withRetries(
    async () => {
      const isWhole = start === 0 && end === undefined;
      const signed = typeof url === 'string' ? url : url();
      const answer = await transport({
        method: 'GET',
        url: signed,
        headers: {
          ...headers,
          ...(isWhole ? {} : { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
          ...(hash === undefined || hash === '' ? {} : { 'if-match': `"${hash}"` }),
        },
        signal,
      });
      if (answer.status === (isWhole ? 200 : 206)) return answer;
      if (answer.status >= 300) throw await refusalOf(answer, /[?&]token=([^&]+)/.exec(signed)?.[1]);
      answer.discard();
      throw new MillpondError('unexpected', `the server answered ${answer.status}`, {
        status: answer.status,
        reqid: answer.header('x-reqid'),
      });
    },
    retry,
    { signal, repeatable: true },
  );
}

async function* contentOf(
  deps: DownloadDeps,
  url: string | (() => string),
  options: DownloadOptions & { start: number; hash: string },
  first: TransportResponse,
): AsyncGenerator<Uint8Array> {
  const size = sizeOf(first, options);
  // Content decoded in transit has neither the length nor the hash of what is stored.
  const end = first.isDecoded ? undefined : endOf(first, options, size);
  const isWhole = options.start === 0 && (first.status === 200 || end === size);
  const checked = isWhole && !first.isDecoded && /^[Fl][\w-]{27}$/.test(options.hash);
  const running: EtagStream | undefined = checked ? createEtagStream(deps.digests.hashing) : undefined;
  let at = options.start;
  for (let answer = first, broken = 0; ; ) {
    try {
      for await (const chunk of answer.chunks()) {
        at += chunk.length;
        broken = 0;
        running?.update(chunk);
        yield chunk;
      }
      if (end === undefined || at >= end) break;
      throw new MillpondError('network', 'the answer ended early');
    } catch (error) {
      broken++;
      if (options.signal?.aborted || broken > (options.retry?.tries ?? 6) || !mayRetry(error, true))
        throw error;
      if (at > options.start && first.isDecoded) throw decoded(error);
      if (options.hash === '' && at > options.start) throw unknownObject(error);
      await pause(100 * 2 ** broken, options.signal);
      answer = await open(deps, url, { ...options, end }, at);
    }
  }
  if (running !== undefined && running.digest().etag !== options.hash)
    throw new MillpondError('integrity', 'the downloaded content differs from what is stored');
}

/** Pages see it only if the CORS rules of the bucket allow it. */
function hashOf(answer: TransportResponse): string | undefined {
  return /^(?:W\/)?"(.+)"$/.exec(answer.header('etag') ?? '')?.[1];
}

/** Size of the whole object. A range to its end reveals it even to pages that may not see `Content-Range`. */
function sizeOf(answer: TransportResponse, { start = 0, end }: DownloadOptions): number | undefined {
  const total = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  if (total !== undefined) return Number(total);
  const length = lengthOf(answer);
  if (length === undefined) return undefined;
  if (answer.status === 200) return length;
  return end === undefined ? start + length : undefined;
}

/** The byte after the last one expected. */
function endOf(
  answer: TransportResponse,
  { start, end }: { start: number; end?: number | undefined },
  size: number | undefined,
): number | undefined {
  const length = lengthOf(answer);
  return length === undefined ? (end ?? size) : start + length;
}

function lengthOf(answer: TransportResponse): number | undefined {
  const length = answer.header('content-length');
  return length === undefined ? undefined : Number(length);
}

/** What follows could be the bytes of another object. */
function unknownObject(cause: unknown): MillpondError {
  return new MillpondError(
    'network',
    'the download was interrupted and can’t be resumed: the answer has no ETag',
    {
      hint: 'a page can only read it if the CORS rules of the bucket expose ETag and Content-Range',
      cause,
    },
  );
}

/** Content-Encoding was decoded, so offsets are unknown: no resume. */
function decoded(cause: unknown): MillpondError {
  return new MillpondError(
    'network',
    'the download was interrupted and can’t be resumed: the browser decodes its content',
    {
      cause,
    },
  );
}

async function gathered(content: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(piece);
    length += piece.length;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
