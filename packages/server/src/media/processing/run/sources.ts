/** What a command reads: the task's own source as it was pinned, and others that its URLs name. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type DownloadTarget, type MediaSource, ProcessingError, sourceOfFile } from '@millpond/jail';
import { type OutboundClient, OutboundError } from '@millpond/outbound';
import { MIB } from '@millpond/protocol';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { assertReadable } from '../../../storage/objects/index.ts';
import type { TaskRow } from '../task.ts';
import type { ObjectSources } from './object-sources.ts';

/** For images and subtitles from elsewhere; anything larger should be put into a bucket first. */
const MAX_FOREIGN_BYTES = 20 * MIB;
const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: MAX_FOREIGN_BYTES,
};

export interface SourceDeps {
  readonly objects: ObjectSources;
  readonly outbound: OutboundClient;
  readonly tenants: Pick<Tenants, 'of'>;
}

export class Sources {
  readonly #deps: SourceDeps;

  constructor(deps: SourceDeps) {
    this.#deps = deps;
  }

  pinned(task: TaskRow, signal: AbortSignal): Promise<MediaSource> {
    return this.#deps.objects.content(task, signal);
  }

  /** An object of the same account, or a small file from anywhere else. */
  async further(
    task: Pick<TaskRow, 'uid'>,
    text: string,
    downloadTarget: DownloadTarget,
  ): Promise<MediaSource> {
    const url = URL.parse(text);
    if (url === null) throw new ProcessingError('source', 'a source is not a URL');
    const found = await this.#deps.objects.named(task.uid, url, downloadTarget.signal);
    if (found === 'elsewhere') return this.#foreign(task.uid, text, downloadTarget);
    if (found === undefined)
      throw new ProcessingError('source', `there is no object of yours at ${shown(url)}`);
    assertReadable(found.row);
    return this.#deps.objects.content(found.row, downloadTarget.signal);
  }

  /** Streamed into a file. */
  async #foreign(uid: bigint, url: string, { path, count, signal }: DownloadTarget): Promise<MediaSource> {
    let size = 0;
    try {
      const { status, body } = await this.#deps.outbound.open({
        url,
        method: 'GET',
        limits: LIMITS,
        redirects: 3,
        party: await this.#deps.tenants.of(uid),
        signal,
      });
      if (status !== 200) {
        body.cancel();
        throw new ProcessingError('source', `a source answered ${status}`);
      }
      async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
        for await (const chunk of body) {
          count(chunk.length);
          size += chunk.length;
          yield chunk;
        }
      }
      await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o444 }), { signal });
    } catch (error) {
      if (!(error instanceof OutboundError) || signal.aborted) throw error;
      throw new ProcessingError('source', `a source cannot be fetched: ${error.detail}`);
    }
    return sourceOfFile({ path, size });
  }
}

/** Without its query, which may contain a token. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}
