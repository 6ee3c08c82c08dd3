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
import { AccountShares } from './account-shares.ts';
import { type MediaStore, streamIdOf } from './device-media.store.ts';
import { ssrcOf } from './invitation.ts';
import { MediaCounts } from './media-counts.ts';
import { type MediaRequest, MediaRequestStates } from './media-requests.ts';
import {
  MediaSession,
  type MediaSessionDeps,
  type MediaSessionEnd,
  type MediaSessionOptions,
} from './media-session.ts';

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
  readonly maxSessions: number;
  /** H.265 is transcoded. */
  readonly isTranscoding: boolean;
}

const MAX_REQUESTS = 5_000;
const RESPONSE_TIMEOUT_MS = 32_000;
const SERIALS = 10_000;
const KEPT_FOR_OTHERS =
  'the account has its share of the media sessions: the free ones are kept for accounts that are waiting';
const H265_REASON =
  'the camera sends H.265, which RTMP cannot carry: set the camera to H.264, or set MILLPOND_SIP_MEDIA_TRANSCODE on the server';

export class MediaSessions {
  readonly counts = new MediaCounts();
  readonly #deps: MediaSessionsDeps;
  readonly #options: MediaSessionsOptions;
  readonly #states: MediaRequestStates;
  readonly #invites: InviteTransactions;
  readonly #ports: MediaPorts;
  readonly #lease: Lease;
  #serial = Math.floor(Math.random() * SERIALS);

  constructor(deps: MediaSessionsDeps, options: MediaSessionsOptions, lease: Lease) {
    this.#deps = deps;
    this.#options = options;
    this.#lease = lease;
    this.#states = new MediaRequestStates(deps.mediaStore, lease);
    this.#invites = new InviteTransactions(deps.transactions, {
      host: options.host,
      withinMs: RESPONSE_TIMEOUT_MS,
    });
    this.#ports = new MediaPorts(options.ports.first, options.ports.last);
  }

  /** Once a second. A database that is away does not end it: what is running goes on. */
  async tick(): Promise<void> {
    try {
      const rows = await this.#deps.mediaStore.requests(this.#lease.name, MAX_REQUESTS);
      if (this.#lease.signal.aborted) return;
      const gone = this.#states.update(rows);
      for (const request of gone) this.#release(request, 'the device is not registered');
      const accountShares = new AccountShares(this.#options.maxSessions, this.#states.standings());
      for (const request of this.#states.requests()) this.#reconcile(request, accountShares);
      await this.#states.write();
    } catch (error) {
      this.#deps.log.warn({ error: (error as Error).message }, 'media of devices failed; trying again');
    }
  }

  onResponse(response: SipResponse, from: Peer): void {
    this.#invites.answered(response, from);
  }

  /** Whether the device ended one of our calls. */
  onBye({ callId }: SipRequest, from: Peer): boolean {
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

  #reconcile(request: MediaRequest, accountShares: AccountShares): void {
    const { row } = request;
    if (!row.is_wanted) this.#release(request, '');
    else if (row.is_disabled) this.#release(request, 'the namespace or the stream is disabled');
    else if (request.session === undefined && request.notBefore <= performance.now())
      this.#begin(request, accountShares);
  }

  #release(request: MediaRequest, reason: string): void {
    this.#endEarlier(request);
    request.session?.stop();
    if (request.session !== undefined) return;
    Object.assign(request, { state: 'waiting', reason, failures: 0, notBefore: 0 });
  }

  /** Ends a call that an earlier process made and did not end. */
  #endEarlier(request: MediaRequest): void {
    const { earlier } = request;
    const peer = this.#peerOf(request);
    if (earlier === undefined || peer === undefined) return;
    request.earlier = undefined;
    void this.#invites.bye(peer, earlier);
  }

  #begin(request: MediaRequest, accountShares: AccountShares): void {
    const peer = this.#peerOf(request);
    if (peer === undefined) {
      Object.assign(request, { state: 'waiting', reason: 'the device has not connected again' });
      return;
    }
    const outcome = accountShares.claim(request.row.tenant);
    if (outcome !== 'taken') {
      const { maxSessions } = this.#options;
      const reason =
        outcome === 'all in use' ? `all ${maxSessions} media sessions are in use` : KEPT_FOR_OTHERS;
      Object.assign(request, { state: 'waiting', reason });
      return;
    }
    this.#endEarlier(request);
    const { row } = request;
    const session: MediaSession = new MediaSession(
      { ...this.#deps, invites: this.#invites, ports: this.#ports },
      this.#options,
      {
        peerNow: () => this.#peerOf(request),
        peer,
        target: row.target,
        ssrc: this.#newSsrc(),
        remux: request.remux,
        stream: { nsId: row.ns_id, streamId: streamIdOf(row.gbid, row.channel) },
        onChange: () => {
          if (session.isRunning) Object.assign(request, { state: 'running', reason: '' });
        },
      },
    );
    Object.assign(request, { session, state: 'inviting' });
    this.counts.begin(session);
    void session.ended.then((end) => this.#ended(request, session, end));
  }

  #ended(request: MediaRequest, session: MediaSession, end: MediaSessionEnd): void {
    const { reason, seenMs, isH265, isUnreadable } = end;
    this.counts.end(session);
    const { isTranscoding } = this.#options;
    const ended = { seenMs, isHopeless: isH265 && !isTranscoding };
    request.session = undefined;
    request.failures = failuresAfter(request.failures, ended);
    request.notBefore = performance.now() + waitMs(request.failures, ended, Math.random());
    if (isH265 && isTranscoding)
      [request.remux, request.notBefore] = [{ ...request.remux, isEncoding: true }, 0];
    else if (isUnreadable) request.remux = { ...request.remux, isMute: true };
    Object.assign(request, { state: 'failed', reason: ended.isHopeless ? H265_REASON : reason });
    const { ns_id, gbid, channel } = request.row;
    this.#deps.log.info({ ns_id, gbid, channel, reason: request.reason }, 'media of a channel ended');
  }

  /** One that no current session has: there are fewer sessions than numbers. */
  #newSsrc(): string {
    const used = new Set([...this.#states.requests()].map(({ session }) => session?.request.ssrc));
    for (;;) {
      this.#serial = (this.#serial + 1) % SERIALS;
      const ssrc = ssrcOf(this.#options.serverId, this.#serial);
      if (!used.has(ssrc)) return ssrc;
    }
  }

  /** Undefined: it is not there, or it has not connected since we took over the port. */
  #peerOf({ row }: MediaRequest): Peer | undefined {
    const registration = this.#deps.registrations.get(row.device_id);
    if (registration?.peer.send === undefined) return undefined;
    const { send, ...peer } = registration.peer;
    return { keep: () => undefined, ...peer, send };
  }
}

/** When a channel whose media ended is asked again: soon, then at growing intervals. */
const FIRST_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Video that lasted this long does not count as a failure. */
const GOOD_MS = 30_000;
/** For causes that will not change by themselves, such as the camera's encoding. */
const HOPELESS_MS = 10 * 60_000;

interface MediaEnd {
  /** How long there was video; 0: never. */
  readonly seenMs: number;
  readonly isHopeless: boolean;
}

/** The number of failures in a row after this end. */
export function failuresAfter(before: number, { seenMs }: MediaEnd): number {
  return seenMs >= GOOD_MS ? 1 : before + 1;
}

/** `chance`: from 0 to 1, so that the channels of a site are not all asked at the same moment. */
export function waitMs(
  failures: number,
  { isHopeless }: Pick<MediaEnd, 'isHopeless'>,
  chance: number,
): number {
  if (isHopeless) return HOPELESS_MS;
  const wait = Math.min(FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), MAX_RETRY_MS);
  return wait * (0.8 + 0.4 * chance);
}
