/**
 * Snapshots: a frame from the newest segment of a stream's HLS, made in the sandbox, stored in the bucket of its template.
 * On demand and on schedule; a few at a time, each within its deadline, and none after it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { type MediaEngine, type MediaOutput, ProcessingError, sourceOfBytes } from '@millpond/jail';
import { DAY_MS, Fault, parseCommand } from '@millpond/protocol';
import type { Results } from '../../../media/processing/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Lease, LeaseLostError } from '../../../platform/leases/leases.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { Engine } from '../engines/index.ts';
import type { LiveEvents, WorkCode } from '../events.ts';
import { segmentsOf } from '../hls-playlist.ts';
import { fileName } from '../namespaces/file-names.ts';
import type { TemplateStore } from '../namespaces/template.store.ts';
import { NO_ENGINE, permanentFailureMessage } from '../streams.failures.ts';
import type { SnapRow, TemplateRow } from '../streams.rows.ts';
import type { NewSnap, SnapEventFields, SnapStore } from './snap.store.ts';

export interface SnapshotDeps {
  readonly store: SnapStore;
  readonly templates: TemplateStore;
  readonly events: LiveEvents;
  readonly buckets: Buckets;
  readonly results: Results;
  readonly media: () => Promise<MediaEngine>;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly log: Log;
}

export interface SnapshotOptions {
  readonly timeoutMs: number;
  /** Whether events for waiting (1) and processing (2) are sent as well. */
  readonly tellsProgress: boolean;
}

/** A stream that has just begun has no segment yet. */
const LOOK_AGAIN_MS = 250;
const DUE_BATCH = 100;
/** Waiting, per stream. */
const MAX_ON_DEMAND = 4;
const MAX_SERVED = 1000;
const TOO_LATE = 'no image in time';
const frame = parseCommand('vframe/jpg/offset/0');

export class Snapshots {
  readonly #deps: SnapshotDeps;
  readonly #options: SnapshotOptions;
  /** Per engine, the accounts that had their turn; the latest is last. */
  readonly #served = new Map<string, readonly bigint[]>();

  constructor(deps: SnapshotDeps, options: SnapshotOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Returns the name that the image will have. */
  async demand(address: StreamAddress, engine: Engine | undefined): Promise<string> {
    const { store, templates } = this.#deps;
    if (engine === undefined) throw new Fault('streamOffline');
    const id = await store.templateOf(address);
    const template = id === undefined ? undefined : await templates.find(id);
    if (template === undefined || !template.jpg_on_demand)
      throw new Fault('notAllowed', { hint: 'the stream has no template for snapshots on demand' });
    const snap = snapOf(address, engine.id, template, new Date(), 'jpg_on_demand_name');
    await store.transaction(async (transaction) => {
      if (!(await store.insertDemanded(transaction, snap, MAX_ON_DEMAND)))
        throw new Fault('tooManyRequests', {
          hint: `${MAX_ON_DEMAND} snapshots of the stream are already waiting`,
          retryAfterSeconds: 1,
        });
      await this.#added(transaction, snap);
    });
    return snap.fname;
  }

  /** Adds snapshots of due streams. The next time is written in the same transaction; while one waits, no other is added. */
  async schedule(lease: Lease): Promise<void> {
    const { store, templates } = this.#deps;
    await store.transaction(async (transaction) => {
      await lease.hold(transaction);
      for (const stream of await store.due(transaction, DUE_BATCH)) {
        const template =
          stream.template_id === null ? undefined : await templates.find(stream.template_id, transaction);
        const seconds = template?.snap_interval ?? 0;
        await store.schedule(transaction, stream, seconds === 0 ? null : seconds);
        if (template === undefined || seconds === 0 || stream.engine === null) continue;
        const address = { nsId: stream.ns_id, streamId: stream.stream_id };
        const now = new Date();
        for (const [isOn, name] of [
          [template.jpg_sequence, 'jpg_sequence_name'],
          [template.jpg_overwrite, 'jpg_overwrite_name'],
        ] as const) {
          if (!isOn) continue;
          const snap = snapOf(address, stream.engine, template, now, name);
          if (await store.insertScheduled(transaction, snap)) await this.#added(transaction, snap);
        }
      }
    });
  }

  /**
   * `busy`: those in progress at this owner. Snapshots that another owner had started are returned too, to be ended.
   * Those that waited too long are failed.
   */
  claim(engine: string, most: number, busy: readonly string[], lease: Lease): Promise<SnapRow[]> {
    const { store } = this.#deps;
    return store.transaction(async (transaction) => {
      await lease.hold(transaction);
      for (const row of await store.expire(transaction, engine, this.#options.timeoutMs, TOO_LATE))
        await this.#tell(transaction, row, 3, TOO_LATE);
      const served = this.#served.get(engine) ?? [];
      const rows = await store.claim(transaction, engine, most, busy, served);
      const now = new Set(rows.flatMap(({ tenant }) => tenant ?? []));
      this.#served.set(engine, [...served.filter((tenant) => !now.has(tenant)), ...now].slice(-MAX_SERVED));
      if (this.#options.tellsProgress) {
        for (const row of rows) if (!row.is_left) await this.#tell(transaction, row, 2, '');
      }
      return rows;
    });
  }

  /** Fails those of engines without an owner. */
  async failAbandoned(configured: readonly string[], ms: number, lease: Lease): Promise<void> {
    const { store } = this.#deps;
    await store.transaction(async (transaction) => {
      await lease.hold(transaction);
      for (const row of await store.failAbandoned(transaction, configured, ms, NO_ENGINE))
        await this.#tell(transaction, row, 3, NO_ENGINE);
    });
  }

  /** Never rejects: if the outcome could not be written, the next claim returns it again. */
  async process(row: SnapRow, lease: Lease): Promise<void> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      await this.#take(row, lease, AbortSignal.any([lease.signal, deadline]));
    } catch (error) {
      if (lease.signal.aborted || error instanceof LeaseLostError) return;
      const why = deadline.aborted
        ? TOO_LATE
        : (permanentFailureMessage(error) ?? 'the engine or the store is unavailable');
      this.#deps.log.warn({ err: error, snap: row.snap_id }, 'snapshot failed');
      await this.#fail(row, why, lease).catch((cause: unknown) =>
        this.#deps.log.warn({ err: cause, snap: row.snap_id }, 'failure of a snapshot could not be recorded'),
      );
    }
  }

  async #take(row: SnapRow, lease: Lease, signal: AbortSignal): Promise<void> {
    const { engines, buckets, media, results, store } = this.#deps;
    // So late, the image would show another moment.
    if (row.is_left) throw new ProcessingError('source', 'it was interrupted');
    const engine = engines.get(row.engine);
    if (engine === undefined) throw new ProcessingError('source', NO_ENGINE);
    if (row.uid === null) throw new ProcessingError('source', 'the namespace is gone');
    const name = engineName({ nsId: row.ns_id, streamId: row.stream_id });
    const bucket = await buckets.ownedUncounted(row.uid, row.bucket);
    const segment = await newestSegment(engine, name, signal);
    const keep = async (image: MediaOutput) => {
      const stored = await results.store(image.path, image.mimeType, signal);
      const place = {
        bucket,
        key: row.fname,
        expiresAt: row.expires_at ?? undefined,
        endUser: undefined,
        storageClass: row.storage_class,
        way: 'snapshot' as const,
      };
      await results.commit(stored, place, true, async (transaction) => {
        await lease.hold(transaction);
        if (!(await store.end(transaction, row.snap_id, 0, '')))
          throw new LeaseLostError('the snapshot is over');
        await this.#tell(transaction, row, 0, '');
      });
    };
    const job = { plan: frame, sources: [sourceOfBytes(segment)], signal };
    await (await media()).run(job, ({ main }) => keep(main));
  }

  async #fail(row: SnapRow, why: string, lease: Lease): Promise<void> {
    await this.#deps.store.transaction(async (transaction) => {
      await lease.hold(transaction);
      if (await this.#deps.store.end(transaction, row.snap_id, 3, why))
        await this.#tell(transaction, row, 3, why);
    });
  }

  async #added(transaction: Transaction, snap: NewSnap): Promise<void> {
    if (!this.#options.tellsProgress) return;
    const told = { ns_id: snap.nsId, stream_id: snap.streamId, taken_at: snap.takenAt, fname: snap.fname };
    await this.#tell(transaction, told, 1, '');
  }

  async #tell(transaction: Transaction, row: SnapEventFields, code: WorkCode, errmsg: string): Promise<void> {
    const event = { type: 'snap', streamId: row.stream_id, fname: row.fname, code, errmsg } as const;
    await this.#deps.events.enqueue(transaction, row.ns_id, code === 1 ? row.taken_at : new Date(), event);
  }
}

/** The last complete one. */
async function newestSegment(engine: Engine, name: string, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    signal.throwIfAborted();
    const playlist = await engine.client.hls(name, 'index.m3u8', signal);
    const last = segmentsOf(playlist?.toString() ?? '').at(-1);
    const segment = last === undefined ? undefined : await engine.client.hls(name, last, signal);
    if (segment !== undefined && segment.length > 0) return segment;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

function snapOf(
  address: StreamAddress,
  engine: string,
  template: TemplateRow,
  takenAt: Date,
  name: 'jpg_on_demand_name' | 'jpg_sequence_name' | 'jpg_overwrite_name',
): NewSnap {
  const at = takenAt.getTime();
  const facts = { namespaceId: address.nsId, streamId: address.streamId, startMs: at, endMs: at };
  return {
    ...address,
    id: newBlobId(),
    engine,
    isDemanded: name === 'jpg_on_demand_name',
    isOverwritten: name === 'jpg_overwrite_name',
    takenAt,
    bucket: template.bucket,
    fname: fileName(template[name], facts),
    storageClass: template.storage_class,
    expiresAt:
      template.delete_after_days === 0 ? undefined : new Date(at + template.delete_after_days * DAY_MS),
  };
}
