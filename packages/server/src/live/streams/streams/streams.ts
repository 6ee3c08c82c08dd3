/** Streams: created with their own key, disabled, kicked, deleted; their URLs for publishing and playing. */
import { Fault } from '@millpond/protocol';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import type { ListQuery, Page } from '../../../platform/web/resources/index.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { Engine } from '../engines/index.ts';
import { isStreamId } from '../ids.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import type { Templates } from '../namespaces/templates.ts';
import type { SessionStore } from '../sessions/stream-sessions.store.ts';
import type { SealedKey, SessionRow, StreamRow } from '../streams.rows.ts';
import type { StreamFilter, StreamStore } from './stream.store.ts';
import { type StreamValues, streamValues } from './stream-fields.ts';
import { newStreamKey } from './stream-keys.ts';

const MAX_STREAMS = 100_000;
const ROTATION_BATCH = 1000;

export interface StreamDeps {
  readonly store: StreamStore;
  readonly sessions: SessionStore;
  readonly namespaces: Namespaces;
  readonly templates: Templates;
  readonly sealer: Sealer;
  readonly engines: ReadonlyMap<string, Engine>;
}

/** What a stream's players need. */
export interface Player {
  readonly uid: bigint;
  readonly key: string;
  /** Undefined while it is not published. */
  readonly engine: Engine | undefined;
}

export class Streams {
  readonly #deps: StreamDeps;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  async create(uid: bigint, address: StreamAddress, values: StreamValues): Promise<StreamRow> {
    const { store, namespaces } = this.#deps;
    await namespaces.owned(uid, address.nsId);
    await this.#checkTemplates(uid, values);
    const row = await store.insert(address, values, newSealedKey(this.#deps.sealer, address), MAX_STREAMS);
    if (row === undefined)
      throw new Fault('nameTaken', {
        hint: `the stream exists, or there are already ${MAX_STREAMS} streams`,
      });
    return row;
  }

  async owned(uid: bigint, address: StreamAddress): Promise<StreamRow> {
    await this.#deps.namespaces.owned(uid, address.nsId);
    const row = isStreamId(address.streamId) ? await this.#deps.store.find(address) : undefined;
    if (row === undefined) throw new Fault('noSuchStream');
    return row;
  }

  async page(
    uid: bigint,
    nsId: string,
    query: ListQuery,
    filter: StreamFilter,
    prefix: string,
  ): Promise<Page<StreamRow>> {
    await this.#deps.namespaces.owned(uid, nsId);
    return this.#deps.store.page(nsId, query, filter, prefix);
  }

  async change(uid: bigint, address: StreamAddress, change: Partial<StreamValues>): Promise<StreamRow> {
    await this.#deps.namespaces.owned(uid, address.nsId);
    await this.#checkTemplates(uid, change);
    const { store } = this.#deps;
    return store.transaction(async (transaction) => {
      const before = await store.lock(transaction, address);
      if (before === undefined) throw new Fault('noSuchStream');
      return store.update(transaction, address, { ...streamValues(before), ...change });
    });
  }

  /** Disabling a stream drops its publisher. */
  async setDisabled(uid: bigint, address: StreamAddress, isDisabled: boolean): Promise<void> {
    await this.owned(uid, address);
    await this.#deps.store.setDisabled(address, isDisabled);
    if (isDisabled) await this.#drop(address);
  }

  /** Drops its publishers; nothing keeps them from coming back. */
  async kick(uid: bigint, address: StreamAddress): Promise<void> {
    await this.owned(uid, address);
    await this.#drop(address);
  }

  /** For a namespace that is being disabled: drops the publishers of all its streams. */
  async kickAll(nsId: string): Promise<void> {
    for (const { stream_id } of await this.#deps.sessions.openOfNamespace(nsId)) {
      await this.#drop({ nsId, streamId: stream_id });
    }
  }

  /** The old key, and tokens signed with it, are invalid from now on. */
  async changeKey(uid: bigint, address: StreamAddress): Promise<StreamRow> {
    await this.owned(uid, address);
    const row = await this.#deps.store.setKey(address, newSealedKey(this.#deps.sealer, address));
    if (row === undefined) throw new Fault('noSuchStream');
    return row;
  }

  async remove(uid: bigint, address: StreamAddress): Promise<void> {
    await this.owned(uid, address);
    if (!(await this.#deps.store.delete(address)))
      throw new Fault('notAllowed', { hint: 'the stream is online: disable it first' });
  }

  keyOf(row: StreamRow): string {
    return openStreamKey(this.#deps.sealer, row);
  }

  async publishHistories(uid: bigint, address: StreamAddress, most: number): Promise<SessionRow[]> {
    await this.owned(uid, address);
    return this.#deps.sessions.ofStream(address, most);
  }

  /** The engine of its current publisher. */
  async engineOf(address: StreamAddress): Promise<Engine | undefined> {
    const [session] = await this.#deps.sessions.openOfStream(address);
    return session && this.#deps.engines.get(session.engine);
  }

  /** Undefined if there is no such stream, or it may not be played. */
  async player(address: StreamAddress): Promise<Player | undefined> {
    const row = await this.#deps.store.findOwned(address);
    if (row === undefined || row.is_disabled) return undefined;
    return { uid: row.uid, key: this.keyOf(row), engine: await this.engineOf(address) };
  }

  /** Wraps every key with the current master key. */
  async rotateMasterKey(): Promise<number> {
    const { store, sealer } = this.#deps;
    const current = sealer.currentMasterKey;
    let done = 0;
    for (;;) {
      const rows = await store.notUnder(current, ROTATION_BATCH);
      if (rows.length === 0) return done;
      const sealed = rows.map((row) => sealer.rewrap(sealedOf(row), ownerOf(row)).bytes);
      done += await store.rewrap(rows, sealed, current);
    }
  }

  async #drop(address: StreamAddress): Promise<void> {
    const sessions = await this.#deps.sessions.openOfStream(address);
    for (const id of new Set(sessions.map(({ engine }) => engine))) {
      await this.#deps.engines.get(id)?.client.drop(engineName(address));
    }
  }

  async #checkTemplates(uid: bigint, values: Partial<StreamValues>): Promise<void> {
    await this.#deps.templates.checkOwned(uid, values.recordTemplateId, 0);
    await this.#deps.templates.checkOwned(uid, values.snapshotTemplateId, 1);
  }
}

export function newSealedKey(sealer: Sealer, { nsId, streamId }: StreamAddress): SealedKey {
  const sealed = sealer.seal(newStreamKey(), ownerOf({ ns_id: nsId, stream_id: streamId }));
  return { sealed_key: sealed.bytes, master_key: sealed.masterKey };
}

export function openStreamKey(sealer: Sealer, row: SealedKey & Owner): string {
  return sealer.open(sealedOf(row), ownerOf(row));
}

type Owner = Pick<StreamRow, 'ns_id' | 'stream_id'>;

function sealedOf(row: SealedKey) {
  return { bytes: row.sealed_key, masterKey: row.master_key };
}

function ownerOf({ ns_id, stream_id }: Owner): string {
  return `live stream ${ns_id}/${stream_id}`;
}
