/**
 * Client of an nginx-rtmp: lists and drops publishers, records on demand, reads HLS files. The engine's address is
 * private, and it answers only requests with the secret that it sends with its own hooks.
 */
import { MIB } from '@millpond/protocol';
import { type EngineState, readNginxStat } from './nginx-stat.ts';
import { SilenceTimeout } from './silence-timeout.ts';

export interface EngineClient {
  /** Who publishes there now, and in which process of the engine. */
  state(): Promise<EngineState>;
  /** Whether its configuration is older than this server. If so, anybody who can reach it can inject video into a stream. */
  isOutdated(): Promise<boolean>;
  /** False if nobody publishes it there. */
  drop(name: string): Promise<boolean>;
  startRecord(name: string): Promise<boolean>;
  stopRecord(name: string): Promise<boolean>;
  /** A file of the stream's HLS, whole; undefined if there is none. */
  hls(name: string, file: string, signal: AbortSignal): Promise<Buffer | undefined>;
  /** The same, as a stream. */
  openHls(name: string, file: string, signal: AbortSignal): Promise<HlsFile | undefined>;
}

export interface HlsFile {
  /** Undefined: the engine does not say. */
  readonly length: number | undefined;
  /** Read no faster than they are consumed. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

export interface EngineLimits {
  /** Applies until the engine begins to answer, and between the pieces of its answer. */
  readonly silenceMs: number;
  readonly maxFileBytes: number;
}

const APPLICATION = 'live';
/** Revision of the configuration, as the engine reports it; the first one reports none. */
const REVISION = 2;
const ANSWER_MS = 4_000;
/** About 60,000 publishers. */
const MAX_STAT_BYTES = 64 * MIB;
const MAX_RESPONSE_BYTES = 4096;
const TOO_LARGE = 'the engine’s answer is too large';
const LIMITS: EngineLimits = { silenceMs: ANSWER_MS, maxFileBytes: 64 * MIB };

export function nginxClient(url: string, secret = '', limits = LIMITS): EngineClient {
  const base = url.replace(/\/+$/, '');
  const shown = { [SECRET_HEADER]: secret };
  const get = (path: string) =>
    fetch(`${base}${path}`, { headers: shown, signal: AbortSignal.timeout(ANSWER_MS) });
  /** The engine answers 204 if there is no such stream. */
  const control = async (action: string, name: string, more = ''): Promise<boolean> => {
    const query = `app=${APPLICATION}&name=${encodeURIComponent(name)}${more}`;
    const answer = await get(`/control/${action}?${query}`);
    const text = await boundedBody(answer, MAX_RESPONSE_BYTES);
    if (!answer.ok) throw new Error(refusalOf(answer, action));
    return answer.status === 200 && text.toString() !== '0';
  };
  const openHls: EngineClient['openHls'] = async (name, file, signal) => {
    const silence = new SilenceTimeout(limits.silenceMs);
    const answer = await silence.during(
      fetch(`${base}/hls/${encodeURIComponent(name)}/${encodeURIComponent(file)}`, {
        // Uncompressed: the length must be that of the bytes we pass on.
        headers: { ...shown, 'accept-encoding': 'identity' },
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    );
    const said = answer.headers.get('content-length');
    const length = said === null ? undefined : Number(said);
    const isTooLarge = (length ?? 0) > limits.maxFileBytes;
    if (answer.ok && !isTooLarge)
      return { length, pieces: boundedPieces(answer, limits.maxFileBytes, silence) };
    await answer.body?.cancel();
    if (answer.status === 404) return undefined;
    // Thrown before any of it is passed on.
    throw new Error(isTooLarge ? TOO_LARGE : refusalOf(answer, 'a part of HLS'));
  };
  return {
    openHls,
    async state() {
      const answer = await get('/stat');
      if (!answer.ok) throw new Error(refusalOf(answer, '/stat'));
      return readNginxStat((await boundedBody(answer, MAX_STAT_BYTES)).toString(), APPLICATION);
    },
    async isOutdated() {
      const answer = await get('/revision');
      const said = (await boundedBody(answer, MAX_RESPONSE_BYTES)).toString();
      if (answer.ok) return !(Number(said) >= REVISION);
      if (answer.status === 404) return true;
      throw new Error(refusalOf(answer, '/revision'));
    },
    drop: (name) => control('drop/publisher', name),
    startRecord: (name) => control('record/start', name, '&rec=demand'),
    stopRecord: (name) => control('record/stop', name, '&rec=demand'),
    async hls(name, file, signal) {
      const found = await openHls(name, file, signal);
      return found && wholeOf(found.pieces);
    },
  };
}

function refusalOf({ status }: Response, asked: string): string {
  const said = `the engine answers ${status} to ${asked}`;
  return status === 403
    ? `${said}: its configuration has a different secret than MILLPOND_LIVE_HOOK_SECRET`
    : said;
}

async function boundedBody(answer: Response, most: number): Promise<Buffer> {
  return wholeOf(boundedPieces(answer, most));
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** The client may be slow: only the engine's silence counts. */
async function* boundedPieces(
  answer: Response,
  most: number,
  silence?: SilenceTimeout,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  silence?.begin();
  try {
    for await (const piece of answer.body ?? []) {
      silence?.end();
      size += piece.length;
      if (size > most) throw new Error(TOO_LARGE);
      yield piece;
      silence?.begin();
    }
  } finally {
    silence?.end();
  }
}

/** The engine and the server send this secret to each other with every request. */
export const SECRET_HEADER = 'x-live-secret';
