/**
 * A download that survives a broken connection: it goes on where it was, only if the object is still the same, and what
 * arrived is held against the object's hash where the hash allows it.
 */
import { createEtagStream, type EtagStream } from '@millpond/protocol';
import type { Digests } from '../core/digests.ts';
import { errorOfAnswer, MillpondError, parseRetryAfter } from '../core/error.ts';
import { mayRetry, pause, type RetryOptions, withRetries } from '../core/retry.ts';
import type { Transport, TransportAnswer } from '../core/transport.ts';

export interface DownloadOptions {
  /** First byte; default 0. */
  readonly start?: number | undefined;
  /** Byte after the last; default: to the end. */
  readonly end?: number | undefined;
  /** Only if the object still has this hash; else 412. */
  readonly hash?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface Download {
  /** Of the whole object. */
  readonly size: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly header: (name: string) => string | undefined;
  readonly reqid: string;
  /** To be read once. Ends with an error unless all of it arrived as it was stored. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface DownloadParts {
  readonly transport: Transport;
  readonly digests: Digests;
}

/** `url` may be a function, for URLs that expire. */
export async function download(
  parts: DownloadParts,
  url: string | (() => string),
  options: DownloadOptions = {},
): Promise<Download> {
  const start = options.start ?? 0;
  const first = await open(parts, url, options, start);
  const hash = (first.header('etag') ?? '').replaceAll('"', '');
  return {
    size: sizeOf(first),
    hash,
    mimeType: first.header('content-type') ?? '',
    header: (name) => first.header(name),
    reqid: first.header('x-reqid') ?? '',
    content: contentOf(parts, url, { ...options, start, hash }, first),
  };
}

async function open(
  { transport }: DownloadParts,
  url: string | (() => string),
  { end, hash, headers = {}, signal, retry }: DownloadOptions,
  start: number,
): Promise<TransportAnswer> {
  return withRetries(
    async () => {
      const isWhole = start === 0 && end === undefined;
      const answer = await transport({
        method: 'GET',
        url: typeof url === 'string' ? url : url(),
        headers: {
          ...headers,
          ...(isWhole ? {} : { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
          ...(hash === undefined ? {} : { 'if-match': `"${hash}"` }),
        },
        signal,
      });
      if (answer.status === (isWhole ? 200 : 206)) return answer;
      const facts = {
        reqid: answer.header('x-reqid'),
        retryAfter: parseRetryAfter(answer.header('retry-after')),
      };
      if (answer.status < 300) {
        answer.discard();
        throw new MillpondError('unexpected', `the server answered ${answer.status}`, facts);
      }
      throw errorOfAnswer(answer.status, await answer.text(), facts);
    },
    retry,
    { signal, repeatable: true },
  );
}

async function* contentOf(
  parts: DownloadParts,
  url: string | (() => string),
  options: DownloadOptions & { start: number; hash: string },
  first: TransportAnswer,
): AsyncGenerator<Uint8Array> {
  const end = options.end ?? sizeOf(first);
  const isWhole = options.start === 0 && end === sizeOf(first);
  const checked = isWhole && /^[Fl][\w-]{27}$/.test(options.hash);
  const running: EtagStream | undefined = checked ? createEtagStream(parts.digests.hashing) : undefined;
  let at = options.start;
  for (let answer = first, broken = 0; ; ) {
    try {
      for await (const chunk of answer.chunks()) {
        at += chunk.length;
        broken = 0;
        running?.update(chunk);
        yield chunk;
      }
      if (at >= end) break;
      throw new MillpondError('network', 'the answer ended early');
    } catch (error) {
      broken++;
      if (options.signal?.aborted || broken > (options.retry?.tries ?? 6) || !mayRetry(error, true))
        throw error;
      await pause(100 * 2 ** broken, options.signal);
      answer = await open(parts, url, { ...options, end }, at);
    }
  }
  if (running !== undefined && running.digest().etag !== options.hash)
    throw new MillpondError('integrity', 'what arrived is not what is stored');
}

function sizeOf(answer: TransportAnswer): number {
  const total = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  return Number(total ?? answer.header('content-length') ?? 0);
}
