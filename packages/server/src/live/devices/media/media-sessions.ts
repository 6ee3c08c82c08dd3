/**
 * Keeps the media of all wanted channels of a port's devices running, and of no others. Once a second it reads what is
 * wanted and compares it with what is running, so a restart, a new owner of the port or a returning device needs no
 * special handling. What ended is tried again, at growing intervals.
 */
import type { Log } from '@millpond/base';
import {
  type ClientTransactions,
  InviteTransactions,
  MediaPorts,
  type Peer,
  type SipRequest,
  type SipResponse,
} from '@millpond/camera-wire';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { Feeds } from '../../streams/index.ts';
import type { Registrations } from '../registrations.ts';
import { type MediaStore, streamIdOf } from './device-media.store.ts';
import { ssrcOf } from './invitation.ts';
import { MediaCounts } from './media-counts.ts';
import {
  MediaSession,
  type MediaSessionDeps,
  type MediaSessionEnd,
  type MediaSessionOptions,
} from './media-session.ts';
import { Shares } from './shares.ts';
import { type Wish, WishStates } from './wish-states.ts';

export interface MediaSessionsDeps {
  readonly mediaStore: MediaStore;
  readonly feeds: Feeds;
  readonly media: MediaSessionDeps['media'];
  readonly registrations: Registrations;
  readonly transactions: ClientTransactions;
  readonly log: Log;
}

export interface MediaSessionsOptions extends MediaSessionOptions {
  readonly ports: { readonly first: number; readonly last: number };
  readonly mostSessions: number;
  /** H.265 is transcoded. */
  readonly isTranscoding: boolean;
}

const MOST_WISHES = 5_000;
const ANSWER_WITHIN_MS = 32_000;
const SERIALS = 10_000;
const KEPT_FOR_OTHERS =
  'the account has its share of the media sessions: the free ones are kept for accounts that are waiting';
const H265_REASON =
  'the camera sends H.265, which RTMP cannot carry: set the camera to H.264, or set MILLPOND_SIP_MEDIA_TRANSCODE on the server';

export class MediaSessions {
  readonly counts = new MediaCounts();
  readonly #deps: MediaSessionsDeps;
  readonly #options: MediaSessionsOptions;
  readonly #states: WishStates;
  readonly #invites: InviteTransactions;
  readonly #ports: MediaPorts;
  readonly #lease: Lease;
  #serial = Math.floor(Math.random() * SERIALS);

  constructor(deps: MediaSessionsDeps, options: MediaSessionsOptions, lease: Lease) {
    this.#deps = deps;
    this.#options = options;
    this.#lease = lease;
    this.#states = new WishStates(deps.mediaStore, lease);
    this.#invites = new InviteTransactions(deps.transactions, {
      host: options.host,
      withinMs: ANSWER_WITHIN_MS,
    });
    this.#ports = new MediaPorts(options.ports.first, options.ports.last);
  }

  /** Once a second. A database that is away does not end it: what is running goes on. */
  async tick(): Promise<void> {
    try {
      const rows = await this.#deps.mediaStore.wishes(this.#lease.name, MOST_WISHES);
      if (this.#lease.signal.aborted) return;
      const gone = this.#states.update(rows);
      for (const wish of gone) this.#letGo(wish, 'the device is not registered');
      const shares = new Shares(this.#options.mostSessions, this.#states.standings());
      for (const wish of this.#states.wishes()) this.#see(wish, shares);
      await this.#states.write();
    } catch (error) {
      this.#deps.log.warn({ error: (error as Error).message }, 'media of devices failed; trying again');
    }
  }

  answered(response: SipResponse, from: Peer): void {
    this.#invites.answered(response, from);
  }

  /** Whether the device ended one of our calls. */
  hungUp({ callId }: SipRequest, from: Peer): boolean {
    for (const session of this.counts.all()) {
      if (session.dialog?.callId !== callId || session.request.peer.address !== from.address) continue;
      session.hungUp();
      return true;
    }
    return false;
  }

  /** Once, without waiting for an answer: if it is lost, the port's next owner says it again. */
  farewell(): void {
    for (const session of this.counts.all()) session.bye();
  }

  /** Immediately. Calls that devices took stay recorded, for the next owner to end. */
  async close(): Promise<void> {
    this.#invites.close();
    const sessions = [...this.counts.all()];
    for (const session of sessions) session.stop();
    await Promise.all(sessions.map(({ ended }) => ended));
  }

  #see(wish: Wish, shares: Shares): void {
    const { row } = wish;
    if (!row.is_wanted) this.#letGo(wish, '');
    else if (row.is_disabled) this.#letGo(wish, 'the namespace or the stream is disabled');
    else if (wish.session === undefined && wish.notBefore <= performance.now()) this.#begin(wish, shares);
  }

  #letGo(wish: Wish, reason: string): void {
    this.#endEarlier(wish);
    wish.session?.stop();
    if (wish.session !== undefined) return;
    Object.assign(wish, { state: 'waiting', reason, failures: 0, notBefore: 0 });
  }

  /** Ends a call that an earlier process made and did not end. */
  #endEarlier(wish: Wish): void {
    const { earlier } = wish;
    const peer = this.#peerOf(wish);
    if (earlier === undefined || peer === undefined) return;
    wish.earlier = undefined;
    void this.#invites.bye(peer, earlier);
  }

  #begin(wish: Wish, shares: Shares): void {
    const peer = this.#peerOf(wish);
    if (peer === undefined) {
      Object.assign(wish, { state: 'waiting', reason: 'the device has not connected again' });
      return;
    }
    const outcome = shares.take(wish.row.tenant);
    if (outcome !== 'taken') {
      const { mostSessions } = this.#options;
      const reason =
        outcome === 'all in use' ? `all ${mostSessions} media sessions are in use` : KEPT_FOR_OTHERS;
      Object.assign(wish, { state: 'waiting', reason });
      return;
    }
    this.#endEarlier(wish);
    const { row } = wish;
    const session: MediaSession = new MediaSession(
      { ...this.#deps, invites: this.#invites, ports: this.#ports },
      this.#options,
      {
        peerNow: () => this.#peerOf(wish),
        ...{ peer, target: row.target, ssrc: this.#newSsrc(), remux: wish.remux },
        stream: { nsId: row.ns_id, streamId: streamIdOf(row.gbid, row.channel) },
        onChange: () => {
          if (session.isRunning) Object.assign(wish, { state: 'running', reason: '' });
        },
      },
    );
    Object.assign(wish, { session, state: 'inviting' });
    this.counts.begin(session);
    void session.ended.then((end) => this.#ended(wish, session, end));
  }

  #ended(wish: Wish, session: MediaSession, end: MediaSessionEnd): void {
    const { reason, seenMs, isH265, isUnreadable } = end;
    this.counts.end(session);
    const { isTranscoding } = this.#options;
    const ended = { seenMs, isHopeless: isH265 && !isTranscoding };
    wish.session = undefined;
    wish.failures = failuresAfter(wish.failures, ended);
    wish.notBefore = performance.now() + waitMs(wish.failures, ended, Math.random());
    if (isH265 && isTranscoding) [wish.remux, wish.notBefore] = [{ ...wish.remux, isEncoding: true }, 0];
    else if (isUnreadable) wish.remux = { ...wish.remux, isMute: true };
    Object.assign(wish, { state: 'failed', reason: ended.isHopeless ? H265_REASON : reason });
    const { ns_id, gbid, channel } = wish.row;
    this.#deps.log.info({ ns_id, gbid, channel, reason: wish.reason }, 'media of a channel ended');
  }

  /** One that no current session has: there are fewer sessions than numbers. */
  #newSsrc(): string {
    const used = new Set([...this.#states.wishes()].map(({ session }) => session?.request.ssrc));
    for (;;) {
      this.#serial = (this.#serial + 1) % SERIALS;
      const ssrc = ssrcOf(this.#options.serverId, this.#serial);
      if (!used.has(ssrc)) return ssrc;
    }
  }

  /** Undefined: it is not there, or it has not connected since we took over the port. */
  #peerOf({ row }: Wish): Peer | undefined {
    const registration = this.#deps.registrations.get(row.device_id);
    if (registration?.peer.send === undefined) return undefined;
    const { send, ...peer } = registration.peer;
    return { keep: () => undefined, ...peer, send };
  }
}

/** When a channel whose media ended is asked again: soon, then at growing intervals. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Video that lasted this long does not count as a failure. */
const GOOD_MS = 30_000;
/** For causes that will not change by themselves, such as the camera's encoding. */
const HOPELESS_MS = 10 * 60_000;

interface Ended {
  /** How long there was video; 0: never. */
  readonly seenMs: number;
  readonly isHopeless: boolean;
}

/** The number of failures in a row after this end. */
export function failuresAfter(before: number, { seenMs }: Ended): number {
  return seenMs >= GOOD_MS ? 1 : before + 1;
}

/** `chance`: from 0 to 1, so that the channels of a site are not all asked at the same moment. */
export function waitMs(failures: number, { isHopeless }: Pick<Ended, 'isHopeless'>, chance: number): number {
  if (isHopeless) return HOPELESS_MS;
  const wait = Math.min(FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), LONGEST_MS);
  return wait * (0.8 + 0.4 * chance);
}
