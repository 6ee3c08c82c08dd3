/** How long the blob engine takes, by operation. */
import { currentTrace, type Labels, Timer } from '@millpond/base';
import { BlobNotFoundError } from './errors.ts';
import type { BlobStore } from './store.ts';

type Label = 'operation' | 'outcome';

export function engineTimer(): Timer<Label> {
  return new Timer({
    name: 'millpond_engine_seconds',
    help: 'Duration of calls to the storage engine; a read lasts until its reader has taken the bytes',
    labels: ['operation', 'outcome'],
  });
}

/**
 * The same store with each call timed. For a body of unknown length only the end is timed: before that, the call waits for the
 * sender.
 */
export function measuredBlobs(store: BlobStore, timer: Timer<Label>): BlobStore {
  async function timed<Result>(
    operation: string,
    running: Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const begun = performance.now();
    const trace = currentTrace();
    const tell = (outcome: Labels<Label>['outcome']) => {
      timer.observe({ operation, outcome }, (performance.now() - begun) / 1000);
      trace?.step('engine', operation, begun, outcome === 'ok', outcome === 'ok' ? undefined : outcome);
    };
    try {
      const result = await running;
      tell('ok');
      return result;
    } catch (error) {
      tell(signal?.aborted ? 'cancelled' : error instanceof BlobNotFoundError ? 'missing' : 'failed');
      throw error;
    }
  }
  return {
    put: (id, chunks, options) => timed('put', store.put(id, chunks, options), options.signal),
    openWriter(id, options) {
      const writer = store.openWriter(id, options);
      return {
        write: (chunk) => writer.write(chunk),
        finish: (md5) => timed('write', writer.finish(md5), options.signal),
        abort: () => writer.abort(),
      };
    },
    read: (id, range, sink, signal) => timed('read', store.read(id, range, sink, signal), signal),
    readAll: (id, maxBytes, signal) => timed('read', store.readAll(id, maxBytes, signal), signal),
    stat: (id, signal) => timed('stat', store.stat(id, signal), signal),
    remove: (ids, signal) => timed('remove', store.remove(ids, signal), signal),
    copy: (from, to, options) => timed('copy', store.copy(from, to, options), options.signal),
    presign: (id, options) => store.presign(id, options),
    listHours: (signal) => timed('list', store.listHours(signal), signal),
    list: (hour, options) => store.list(hour, options),
    abortStale: (olderThan, signal) => store.abortStale(olderThan, signal),
    ensureReady: (signal) => store.ensureReady(signal),
    ping: (signal) => timed('ping', store.ping(signal), signal),
    probeColdClass: (signal) => store.probeColdClass(signal),
    close: () => store.close(),
  };
}
