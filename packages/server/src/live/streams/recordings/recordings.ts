/**
 * Recordings: every file that an engine finishes becomes an object in the bucket of its stream's template, exactly once.
 * The object, the end of the record and its event are one commit; the engine's file is deleted after it.
 */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '@millpond/base';
import { makeFolder } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { type MediaEngine, ProcessingError, type Remuxed, sourceOfFile } from '@millpond/jail';
import { DAY_MS } from '@millpond/protocol';
import type { Results } from '../../../media/processing/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Lease, LeaseLostError } from '../../../platform/leases/leases.ts';
import { unixSeconds } from '../../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import { engineName, parseEngineName, type StreamAddress } from '../engine-name.ts';
import type { LiveEvents, WorkCode } from '../events.ts';
import { fileName } from '../namespaces/file-names.ts';
import type { TemplateStore } from '../namespaces/template.store.ts';
import { NO_ENGINE, permanentFailureMessage } from '../streams.failures.ts';
import type { RecordRow, TemplateRow } from '../streams.rows.ts';
import type { RecordStore } from './recordings.store.ts';

export interface RecordingDeps {
  readonly store: RecordStore;
  readonly templates: TemplateStore;
  readonly events: LiveEvents;
  readonly buckets: Buckets;
  readonly results: Results;
  readonly media: () => Promise<MediaEngine>;
  readonly log: Log;
}

export interface RecordingOptions {
  /** Each engine's recordings are in a folder named after it. */
  readonly folder: string;
  /** Whether events for waiting (1) and processing (2) are sent as well. */
  readonly tellsProgress: boolean;
}

/** An FLV header with nothing after it: what a refused publisher leaves behind. */
const EMPTY_BYTES = 13;
const MAX_PER_SECOND = 100;
const MAX_WAIT_MS = 300_000;
/** A file still being written is touched more often than this. */
const QUIET_MS = 30_000;
const JUST_ENDED_MS = 3_000;

export class Recordings {
  readonly #deps: RecordingDeps;
  readonly #options: RecordingOptions;

  constructor(deps: RecordingDeps, options: RecordingOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** An engine reports that a file is complete. Names that none of our engines gives are ignored. */
  async recorded(engine: string, file: string): Promise<void> {
    const known = parseRecordedFile(file);
    if (known === undefined) return;
    await this.#deps.store.insert({ id: newBlobId(), engine, file, ...known });
  }

  /**
   * Picks up files that were never reported, because nobody listened or the engine died, and removes those already
   * stored. `isPublished`: whether a stream is being written now.
   */
  async scan(engine: string, isPublished: (name: string) => boolean): Promise<void> {
    const folder = this.#folderOf(engine);
    const files = (await readdir(folder).catch(() => [])).filter((file) => parseRecordedFile(file));
    if (files.length === 0) return;
    const rows = new Map((await this.#deps.store.known(engine, files)).map(({ file, code }) => [file, code]));
    for (const file of files) {
      const code = rows.get(file);
      if (code === 0) await rm(path.join(folder, file), { force: true });
      if (code !== undefined) continue;
      const parsed = parseRecordedFile(file);
      const found = await stat(path.join(folder, file)).catch(() => undefined);
      if (parsed === undefined || found === undefined) continue;
      const isBusy = isPublished(engineName(parsed));
      if (Date.now() - found.mtimeMs > (isBusy ? QUIET_MS : JUST_ENDED_MS)) await this.recorded(engine, file);
    }
  }

  /** After a change of owner: what the previous owner had in progress waits again. */
  async revive(engine: string, lease: Lease): Promise<void> {
    await this.#deps.store.transaction(async (transaction) => {
      await lease.hold(transaction);
      await this.#deps.store.revive(transaction, engine);
    });
  }

  /** `busy`: those in progress at this owner. */
  claim(engine: string, most: number, busy: readonly string[], lease: Lease): Promise<RecordRow[]> {
    return this.#deps.store.transaction(async (transaction) => {
      await lease.hold(transaction);
      return this.#deps.store.claim(transaction, engine, most, busy);
    });
  }

  /** Fails those of engines without an owner. Nobody can reach their files. */
  async failAbandoned(configured: readonly string[], ms: number, lease: Lease): Promise<void> {
    const { store } = this.#deps;
    await store.transaction(async (transaction) => {
      await lease.hold(transaction);
      for (const row of await store.failAbandoned(transaction, configured, ms, NO_ENGINE))
        await this.#tell(transaction, row, 3, '', NO_ENGINE);
    });
  }

  /** Never rejects: what fails now is postponed; if even that can't be written, a later claim takes it. */
  async process(row: RecordRow, lease: Lease): Promise<void> {
    const { log } = this.#deps;
    try {
      await this.#process(row, lease);
    } catch (error) {
      if (lease.signal.aborted || error instanceof LeaseLostError) return;
      await this.#putOff(row, error, lease).catch((cause: unknown) =>
        log.warn({ err: cause, record: row.record_id }, 'recording could not be put off; left as it is'),
      );
    }
  }

  async #putOff(row: RecordRow, error: unknown, lease: Lease): Promise<void> {
    const { store, log } = this.#deps;
    const why = permanentFailureMessage(error);
    if (why !== undefined) return this.#fail(row, why, lease);
    log.warn({ err: error, record: row.record_id }, 'recording put off');
    await store.postpone(row.record_id, Math.min(MAX_WAIT_MS, 1000 * 2 ** row.tries));
  }

  async #process(row: RecordRow, lease: Lease): Promise<void> {
    const { store, templates, buckets, media } = this.#deps;
    const { uid } = row;
    const file = path.join(this.#folderOf(row.engine), path.basename(row.file));
    const found = await stat(file).catch(() => undefined);
    const isWanted = uid !== null && row.template_id !== '';
    const template = isWanted ? await templates.find(row.template_id) : undefined;
    if (uid === null || template === undefined || (found !== undefined && found.size <= EMPTY_BYTES)) {
      await rm(file, { force: true });
      await store.delete(row.record_id);
      return;
    }
    if (found === undefined) throw new ProcessingError('source', 'the engine’s file is gone');
    if (this.#options.tellsProgress) await this.#tellProgress(row, lease);
    const target = { template, bucket: await buckets.ownedUncounted(uid, template.bucket) };
    const engine = await media();
    // Copied rather than mounted into the sandbox, so that its user needs no access to the engine's folder.
    const source = { ...sourceOfFile({ path: file, size: found.size }), path: undefined };
    await engine.remux(source, lease.signal, (remuxed) => this.#keep(row, target, remuxed, lease));
    await rm(file, { force: true });
  }

  async #keep(
    row: RecordRow,
    { template, bucket }: { readonly template: TemplateRow; readonly bucket: Bucket },
    remuxed: Remuxed,
    lease: Lease,
  ): Promise<void> {
    const { store, results } = this.#deps;
    const { path: file, mimeType } = remuxed.file;
    const expiresAt =
      template.delete_after_days === 0
        ? undefined
        : new Date(Date.now() + template.delete_after_days * DAY_MS);
    // The engine's names have whole seconds: two recordings of the same second get different milliseconds from us.
    for (let more = 0; more < MAX_PER_SECOND; more++) {
      const startAt = new Date(row.start_at.getTime() + more);
      const endAt = new Date(startAt.getTime() + Math.round(remuxed.seconds * 1000));
      const fname = fileName(template.mp4_name, {
        namespaceId: row.ns_id,
        streamId: row.stream_id,
        startMs: startAt.getTime(),
        endMs: endAt.getTime(),
      });
      const place = {
        bucket,
        key: fname,
        expiresAt,
        endUser: undefined,
        storageClass: template.storage_class,
        way: 'record' as const,
      };
      if (await results.isTaken(place)) continue;
      const stored = await results.store(file, mimeType, lease.signal);
      const record = { startAt, endAt, bucket: bucket.name, fname, headBytes: remuxed.headBytes, expiresAt };
      const { written } = await results.commit(stored, place, false, async (transaction, outcome) => {
        if (!outcome.written) return;
        await lease.hold(transaction);
        if (!(await store.finish(transaction, row.record_id, record)))
          throw new LeaseLostError('the record is over');
        await this.#tell(transaction, { ...row, start_at: startAt, end_at: endAt }, 0, fname, '');
      });
      if (written) return;
    }
    throw new ProcessingError('source', 'every name that the recording could have is taken');
  }

  async #fail(row: RecordRow, why: string, lease: Lease): Promise<void> {
    const { store, log } = this.#deps;
    await store.transaction(async (transaction) => {
      await lease.hold(transaction);
      if (await store.fail(transaction, row.record_id, why, row.end_at))
        await this.#tell(transaction, row, 3, '', why);
    });
    log.warn({ record: row.record_id, file: row.file, why }, 'recording failed');
    await this.#setAside(row);
  }

  /** Left for the operator to inspect: nothing else removes it. */
  async #setAside(row: RecordRow): Promise<void> {
    const folder = this.#folderOf(row.engine);
    makeFolder(path.join(folder, 'failed'));
    const name = path.basename(row.file);
    await rename(path.join(folder, name), path.join(folder, 'failed', name)).catch(() => undefined);
  }

  async #tellProgress(row: RecordRow, lease: Lease): Promise<void> {
    // On a retry this has been reported already.
    if (row.tries > 1) return;
    await this.#deps.store.transaction(async (transaction) => {
      await lease.hold(transaction);
      await this.#tell(transaction, row, 1, '', '');
      await this.#tell(transaction, row, 2, '', '');
    });
  }

  async #tell(
    transaction: Transaction,
    row: RecordRow,
    code: WorkCode,
    fname: string,
    errmsg: string,
  ): Promise<void> {
    const start = unixSeconds(row.start_at);
    const duration = Math.max(1, Math.round((row.end_at.getTime() - row.start_at.getTime()) / 1000));
    await this.#deps.events.enqueue(transaction, row.ns_id, new Date(), {
      type: 'record',
      streamId: row.stream_id,
      start,
      end: start + duration,
      duration,
      fname,
      recordType: row.record_type,
      code,
      errmsg,
    });
  }

  #folderOf(engine: string): string {
    return path.join(this.#options.folder, engine);
  }
}

interface RecordedFile extends StreamAddress {
  readonly recordType: 1 | 2;
  readonly startAt: Date;
}

/**
 * The name of an engine's recording, as its configuration defines it: `<stream>[-<unix time>]-auto-20261115T080501.flv`. Only
 * the name tells when a recording began; the engine's clock is UTC.
 */
const RECORDED_NAME =
  /^([A-Za-z0-9_-]{1,113}?)(?:-\d{10})?-(auto|demand)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(?:flv|mp4)$/;

/** Undefined: not a name that one of our engines gives. */
export function parseRecordedFile(file: string): RecordedFile | undefined {
  const match = RECORDED_NAME.exec(file);
  const stream = match && parseEngineName(match[1] ?? '');
  if (!match || !stream) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(3).map(Number);
  const startAt = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return { ...stream, recordType: match[2] === 'auto' ? 1 : 2, startAt };
}
