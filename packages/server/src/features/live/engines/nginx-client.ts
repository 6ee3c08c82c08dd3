/** Asks an nginx-rtmp: who publishes, drop a publisher, record on demand, the parts of its HLS. Its address is private. */
import { type EngineState, readNginxStat } from './nginx-stat.ts';

export interface EngineClient {
  /** Who publishes there now, and in which life of its process. */
  state(): Promise<EngineState>;
  /** False where nobody publishes it there. */
  drop(name: string): Promise<boolean>;
  startRecord(name: string): Promise<boolean>;
  stopRecord(name: string): Promise<boolean>;
  /** A file of the stream's HLS; undefined where there is none. */
  hls(name: string, file: string, signal: AbortSignal): Promise<Buffer | undefined>;
}

const APPLICATION = 'live';
const ANSWER_MS = 4_000;
/** About 60,000 publishers. */
const LARGEST_STAT = 64 * 1024 * 1024;
const LARGEST_SEGMENT = 64 * 1024 * 1024;

export function nginxClient(url: string): EngineClient {
  const base = url.replace(/\/+$/, '');
  const get = (path: string, signal: AbortSignal) =>
    fetch(`${base}${path}`, { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) });
  const never = new AbortController().signal;
  /** It answers 204 where there is no such stream. */
  const control = async (action: string, name: string, more = ''): Promise<boolean> => {
    const query = `app=${APPLICATION}&name=${encodeURIComponent(name)}${more}`;
    const answer = await get(`/control/${action}?${query}`, never);
    const text = await boundedBody(answer, 4096);
    if (!answer.ok) throw new Error(`the engine answers ${answer.status} to ${action}`);
    return answer.status === 200 && text.toString() !== '0';
  };
  return {
    async state() {
      const answer = await get('/stat', never);
      if (!answer.ok) throw new Error(`the engine answers ${answer.status} to /stat`);
      return readNginxStat((await boundedBody(answer, LARGEST_STAT)).toString(), APPLICATION);
    },
    drop: (name) => control('drop/publisher', name),
    startRecord: (name) => control('record/start', name, '&rec=demand'),
    stopRecord: (name) => control('record/stop', name, '&rec=demand'),
    async hls(name, file, signal) {
      const answer = await get(`/hls/${encodeURIComponent(name)}/${encodeURIComponent(file)}`, signal);
      if (answer.ok) return boundedBody(answer, LARGEST_SEGMENT);
      await answer.body?.cancel();
      if (answer.status === 404) return undefined;
      throw new Error(`the engine answers ${answer.status} to a part of HLS`);
    },
  };
}

async function boundedBody(answer: Response, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > most) throw new Error('the engine’s answer is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
