/**
 * What a command reads besides its source. A command may name a thousand files: few are fetched at a time; those that have to
 * be downloaded go to files in a folder of the job, never into memory, and are counted as they arrive.
 */
import path from 'node:path';
import type { MediaSource } from '@millpond/blobs';
import { ProcessingError } from './failure.ts';

const MAX_CONCURRENT = 4;

/** Where to put a source that has to be downloaded. */
export interface DownloadTarget {
  /** A file that does not exist yet. It is removed when the command has ended. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Call this before bytes are written; throws once all sources of the command exceed its limit. */
  readonly count: (bytes: number) => void;
}

export type OpenFurtherSource = (url: string, downloadTarget: DownloadTarget) => Promise<MediaSource>;

export interface GatherOptions {
  readonly folder: string;
  /** The limit for all downloads together. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** In the order of the URLs; a URL that occurs twice is asked for once. After a rejection nothing more is written. */
export async function gatherSources(
  urls: readonly string[],
  further: OpenFurtherSource,
  { folder, maxBytes, signal: cancel }: GatherOptions,
): Promise<MediaSource[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([cancel, failed.signal]);
  const found = new Map<string, MediaSource>();
  const names = [...new Set(urls)].entries();
  let bytes = 0;
  const count = (more: number): void => {
    bytes += more;
    if (bytes > maxBytes) throw new ProcessingError('limit', 'the sources are too large together');
  };
  // All of them take from the same iterator.
  async function fetchSome(): Promise<void> {
    for (const [index, url] of names) {
      signal.throwIfAborted();
      found.set(url, await further(url, { path: path.join(folder, String(index)), signal, count }));
    }
  }
  const fetching = Array.from({ length: MAX_CONCURRENT }, () =>
    fetchSome().catch((error: unknown) => {
      // The first error: the others only say that they were told to stop.
      if (!failed.signal.aborted) failed.abort(error);
    }),
  );
  await Promise.all(fetching);
  cancel.throwIfAborted();
  failed.signal.throwIfAborted();
  return urls.flatMap((url) => found.get(url) ?? []);
}
