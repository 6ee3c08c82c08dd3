/**
 * Publishers come and go. A stream is online while it has a session, and every change of that happens under the stream's
 * lock, together with its event. So online and offline alternate per stream, whichever process reports them and when.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountStates } from '../../../identity/accounts/index.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import { parseEngineName, type StreamAddress } from '../engine-name.ts';
import type { EngineReport, PublishProof, SessionKey } from '../engines/engine-report.ts';
import type { LiveEvents } from '../events.ts';
import { verifyFeedSecret } from '../streams/internal-publish.ts';
import { canPublish } from '../streams/stream-keys.ts';
import { openStreamKey } from '../streams/streams.ts';
import type { SessionRow } from '../streams.rows.ts';
import { EARLIER_PUBLISHER_PAUSES_MS, type EngineRef, findOtherPublishers } from './other-publishers.ts';
import type { NewSession, OpenSession, PublishedStream, SessionStore } from './stream-sessions.store.ts';

export interface SessionDeps {
  readonly store: SessionStore;
  readonly accounts: AccountStates;
  readonly events: LiveEvents;
  readonly sealer: Sealer;
}

type Publish = Extract<EngineReport, { kind: 'publish' }>;
type Alive = Extract<EngineReport, { kind: 'alive' }>;

export class Sessions {
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Whether the engine may let it in. Any failure is thrown, and the engine must treat that as a no. */
  async publish(engine: EngineRef, report: Publish): Promise<boolean> {
    const stream = parseEngineName(report.name);
    const known = stream && (await this.#look(stream));
    if (stream === undefined || known === undefined || known.is_closed) return false;
    return this.#isLetIn(known, stream, report.proof) && this.#beginAlone(engine, report, stream);
  }

  /** False: it may not go on. An unknown session is opened: the engine let it in while nobody listened. */
  async onAlive(engine: string, report: Alive): Promise<boolean> {
    const stream = parseEngineName(report.name);
    const publisherStatus = stream && (await this.#deps.store.standing(stream, engine, report));
    if (stream === undefined || publisherStatus === undefined || publisherStatus.is_closed) return false;
    if (!(await this.#deps.accounts.isEnabledOrUnknown(publisherStatus.uid))) return false;
    // A late hook does not revive a session that has ended: only the engine's own list does.
    if (publisherStatus.is_known) return true;
    return (await this.#begin(engine, report, stream)) === 'begun';
  }

  /** A publisher in an engine's list. False: it may not publish. */
  async adoptSession(engine: string, report: Alive): Promise<boolean> {
    const stream = parseEngineName(report.name);
    const known = stream && (await this.#deps.store.look(stream));
    if (stream === undefined || known === undefined) return false;
    if (!(await this.#deps.accounts.isEnabledOrUnknown(known.uid))) return false;
    return (await this.#begin(engine, report, stream)) === 'begun';
  }

  /** Those whose accounts have been disabled since. */
  async disabledAmong(open: readonly OpenSession[]): Promise<Set<OpenSession>> {
    const owners = await this.#deps.accounts.disabledAmong(open.flatMap(({ uid }) => uid ?? []));
    return new Set(open.filter(({ uid }) => uid !== null && owners.has(uid)));
  }

  /** Ends a session by its own number, never by its stream's name: a refused second publisher ends as well. */
  async gone(engine: string, { boot, client }: SessionKey): Promise<void> {
    const session = await this.#deps.store.find(engine, boot, client);
    if (session !== undefined && session.ended_at === null) await this.end(session);
  }

  async end(session: SessionRow): Promise<void> {
    const { store } = this.#deps;
    const stream = { nsId: session.ns_id, streamId: session.stream_id };
    await store.transaction(async (transaction) => {
      await store.lock(transaction, stream);
      if (await store.end(transaction, session)) await store.markGone(transaction, stream);
    });
  }

  /** Streams that are online but not published count as gone from now on. */
  async settleAbandoned(): Promise<void> {
    const { store } = this.#deps;
    for (const stream of await store.abandoned()) {
      await store.transaction(async (transaction) => {
        await store.lock(transaction, stream);
        await store.markGone(transaction, stream);
      });
    }
  }

  #isLetIn(known: PublishedStream, stream: StreamAddress, proof: PublishProof): boolean {
    if (known.feed_hash !== null) return verifyFeedSecret(known.feed_hash, proof.key);
    const key = openStreamKey(this.#deps.sealer, known);
    return canPublish(key, known.url_type, stream, proof, Date.now());
  }

  /** Only if nobody else publishes it at that engine. */
  async #beginAlone(engine: EngineRef, report: Publish, stream: StreamAddress): Promise<boolean> {
    const { store } = this.#deps;
    for (const pauseMs of EARLIER_PUBLISHER_PAUSES_MS) {
      const outcome = await this.#begin(engine.id, report, stream, 'openAlone');
      if (outcome !== 'taken') return outcome === 'begun';
      const before = await findOtherPublishers(report, stream, engine, store);
      if (before === 'there') return false;
      for (const session of before) await this.end(session);
      if (before.length === 0) await sleep(pauseMs);
    }
    return false;
  }

  async #begin(
    engine: string,
    report: Publish | Alive,
    stream: StreamAddress,
    open: 'open' | 'openAlone' = 'open',
  ): Promise<'begun' | 'taken' | 'closed'> {
    const { store, events } = this.#deps;
    const { boot, client, address } = report;
    const session: NewSession = { engine, boot, client, address, ...stream };
    return store.transaction(async (transaction) => {
      const locked = await store.lock(transaction, stream);
      if (locked === undefined || locked.is_closed) return 'closed';
      if (!(await store[open](transaction, session))) return 'taken';
      await store.markOnline(transaction, locked);
      if (!locked.is_online) {
        const event = { type: 'stream', streamId: stream.streamId, streamState: 1 } as const;
        await events.enqueue(transaction, stream.nsId, locked.at, event);
      }
      return 'begun';
    });
  }

  /** Undefined if there is no such stream, or its account is disabled. */
  async #look(stream: StreamAddress): Promise<PublishedStream | undefined> {
    const known = await this.#deps.store.look(stream);
    return known && (await this.#deps.accounts.isDisabled(known.uid)) ? undefined : known;
  }
}
