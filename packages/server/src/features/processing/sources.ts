/** What a command reads: the task's own source as it was pinned, and further ones that its URLs name. */
import { type MediaSource, ProcessingFailed, sourceOfBytes } from '../../platform/media/index.ts';
import { type Outbound, OutboundFault } from '../../platform/outbound/index.ts';
import { refuseUnrestored } from '../objects/index.ts';
import type { ObjectSources } from './object-sources.ts';
import type { TaskRow } from './task.ts';

/** Pictures and subtitles from elsewhere; what is larger belongs into a bucket first. */
const MOST_FOREIGN_BYTES = 20 * 1024 * 1024;
const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: MOST_FOREIGN_BYTES,
};

export interface SourceParts {
  readonly objects: ObjectSources;
  readonly outbound: Outbound;
}

export class Sources {
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  pinned(task: TaskRow, signal: AbortSignal): Promise<MediaSource> {
    return this.#parts.objects.content(task, signal);
  }

  /** An object of the same account, or a small file from anywhere else. */
  async further(task: TaskRow, text: string, signal: AbortSignal): Promise<MediaSource> {
    const url = URL.parse(text);
    if (url === null) throw new ProcessingFailed('source', 'a source is no URL');
    const found = await this.#parts.objects.named(task.uid, url, signal);
    if (found === 'elsewhere') return this.#foreign(text, signal);
    if (found === undefined)
      throw new ProcessingFailed('source', `there is no object of yours at ${shown(url)}`);
    refuseUnrestored(found.row);
    return this.#parts.objects.content(found.row, signal);
  }

  async #foreign(url: string, signal: AbortSignal): Promise<MediaSource> {
    try {
      const { status, body } = await this.#parts.outbound.send({
        url,
        method: 'GET',
        limits: LIMITS,
        redirects: 3,
        acceptUnsized: false,
        signal,
      });
      if (status !== 200) throw new ProcessingFailed('source', `a source answered ${status}`);
      return sourceOfBytes(body);
    } catch (error) {
      if (!(error instanceof OutboundFault) || signal.aborted) throw error;
      throw new ProcessingFailed('source', `a source can not be fetched: ${error.detail}`);
    }
  }
}

/** Without its query, which may hold a token. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}
