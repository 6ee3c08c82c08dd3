/**
 * Answers devices: REGISTER with digest, and MESSAGE only from the address a device registered from. Whatever arrives,
 * everything that is allocated has a bound: registrations in progress, remembered answers.
 */
import { hash } from 'node:crypto';
import type { Log } from '@millpond/base';
import { clientNetwork, KeyedCounter, TooManyWaitersError } from '@millpond/base';
import {
  formatResponse,
  headerOf,
  type OutgoingResponse,
  type Peer,
  parameterOf,
  type SipMessage,
  SipParseError,
  type SipRequest,
  type SipResponse,
  transactionKey,
  userOf,
} from '@millpond/camera-wire';
import type { Authentication } from './authentication.ts';
import type { CatalogQueries } from './catalog-queries.ts';
import type { ChangeWriter } from './change-writer.ts';
import { DeviceMessages } from './device-messages.ts';
import { isGbid } from './devices.fields.ts';
import type { KnownDevice } from './registration.store.ts';
import type { Registration, Registrations } from './registrations.ts';
import { ResponseCache } from './response-cache.ts';
import {
  sipBadRequest,
  sipBusy,
  sipForbidden,
  sipIntervalTooBrief,
  sipMethodNotAllowed,
  sipNoSuchCall,
  sipOk,
  sipRegistered,
} from './sip-responses.ts';

export interface RegistrarDeps {
  readonly authentication: Authentication;
  readonly registrations: Registrations;
  readonly changes: ChangeWriter;
  readonly catalogs: CatalogQueries;
  /** Our calls to devices; undefined if we call none. */
  readonly calls: InviteHandler | undefined;
  readonly log: Log;
}

export interface InviteHandler {
  onResponse(response: SipResponse, from: Peer): void;
  /** Whether it ended one of our calls. */
  onBye(request: SipRequest, from: Peer): boolean;
}

export interface RegistrarOptions {
  /** Registrations that are being verified or written. */
  readonly maxPending: number;
  readonly minExpiresMs: number;
  readonly maxExpiresMs: number;
}

export interface RegistrarCounts {
  registered: number;
  refused: number;
  messages: number;
  dropped: number;
  pending: number;
}

type Credentials = Exclude<ReturnType<Authentication['credentials']>, OutgoingResponse>;

/** Share of registrations in progress that one address may take: others always find room. */
const SHARE_OF_ADDRESS = 0.25;
const MAX_USER_AGENT_LENGTH = 200;

export class Registrar {
  readonly counts: RegistrarCounts = { registered: 0, refused: 0, messages: 0, dropped: 0, pending: 0 };
  readonly #deps: RegistrarDeps;
  readonly #options: RegistrarOptions;
  readonly #answers = new ResponseCache();
  /** Registrations in progress by address. */
  readonly #pending = new KeyedCounter();
  #warnedAt = Number.NEGATIVE_INFINITY;
  readonly #messages: DeviceMessages;

  constructor(deps: RegistrarDeps, options: RegistrarOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#messages = new DeviceMessages(deps, this.counts, (gbid, error) => this.#warn(gbid, error));
  }

  handle(message: SipMessage, peer: Peer): void {
    if (message.kind === 'response') {
      if (message.cseq.method === 'INVITE') this.#deps.calls?.onResponse(message, peer);
      else this.#deps.catalogs.transactions.answered(message, peer);
      return;
    }
    const response = this.#respond(message, peer);
    if (response !== undefined) this.#answer(message, peer, response);
  }

  /** Not answered: the source address of such a flood may be forged. */
  tooMuch(): void {
    this.counts.dropped += 1;
  }

  /** A fault of ours, which anybody can trigger as often as they like. */
  failed(error: unknown): void {
    this.counts.dropped += 1;
    this.#warn('', error);
  }

  /** Those heard from since this was last called. */
  takeHeard(): Set<Registration> {
    return this.#messages.drainSeen();
  }

  /** Undefined if there is nothing to answer, or not yet. */
  #respond(request: SipRequest, peer: Peer): OutgoingResponse | undefined {
    try {
      if (request.method === 'REGISTER') return this.#register(request, peer);
      if (request.method === 'MESSAGE' || request.method === 'NOTIFY')
        return this.#messages.handle(request, peer);
    } catch (error) {
      if (error instanceof SipParseError) return sipBadRequest;
      throw error;
    }
    if (request.method === 'ACK') return undefined;
    if (request.method === 'BYE') return this.#bye(request, peer);
    return request.method === 'OPTIONS' ? sipOk : sipMethodNotAllowed;
  }

  /** It was answered again as before, or is still being verified: nothing else is to be done. */
  #isRepeated(key: string, peer: Peer): boolean {
    const before = this.#answers.of(key);
    if (before instanceof Buffer) peer.send(before);
    return before !== undefined;
  }

  #bye(request: SipRequest, peer: Peer): OutgoingResponse | undefined {
    const key = transactionKey(request, peer);
    if (this.#isRepeated(key, peer)) return undefined;
    // A BYE for an unknown call needs no cached response.
    if (!this.#deps.calls?.onBye(request, peer)) return sipNoSuchCall;
    this.#answers.device(key, this.#answer(request, peer, sipOk));
    return undefined;
  }

  #register(request: SipRequest, peer: Peer): OutgoingResponse | undefined {
    const gbid = userOf(request.from) ?? '';
    if (!isGbid(gbid) || userOf(request.to) !== gbid) return sipBadRequest;
    const key = transactionKey(request, peer);
    if (this.#isRepeated(key, peer)) return undefined;
    const credentials = this.#deps.authentication.credentials(request, peer);
    if ('status' in credentials) this.#answers.stranger(key, this.#answer(request, peer, credentials));
    else if (!this.#hasRoomFor(peer)) this.#answers.stranger(key, this.#answer(request, peer, sipBusy()));
    else void this.#registered(gbid, credentials, request, peer, key);
    return undefined;
  }

  #hasRoomFor({ address }: Peer): boolean {
    const { maxPending } = this.#options;
    const ofAddress = this.#pending.of(clientNetwork(address));
    return this.counts.pending < maxPending && ofAddress < Math.ceil(maxPending * SHARE_OF_ADDRESS);
  }

  async #registered(
    gbid: string,
    credentials: Credentials,
    request: SipRequest,
    peer: Peer,
    key: string,
  ): Promise<void> {
    const network = clientNetwork(peer.address);
    this.counts.pending += 1;
    this.#pending.add(network);
    this.#answers.judging(key);
    let response: OutgoingResponse;
    try {
      response = await this.#judged(gbid, credentials, request, peer);
    } catch (error) {
      response = sipBusy();
      if (!(error instanceof TooManyWaitersError)) this.#warn(gbid, error);
    }
    this.counts.pending -= 1;
    this.#pending.remove(network);
    const isRegistered = response.status === 200;
    this.counts[isRegistered ? 'registered' : 'refused'] += 1;
    this.#answers[isRegistered ? 'device' : 'stranger'](key, this.#answer(request, peer, response));
  }

  async #judged(
    gbid: string,
    credentials: Credentials,
    request: SipRequest,
    peer: Peer,
  ): Promise<OutgoingResponse> {
    const { authentication, registrations, changes } = this.#deps;
    const device = await authentication.verify(gbid, credentials, request, peer);
    if ('status' in device) return device;
    const contact = headerOf(request, 'contact');
    const asked = expiresOf(request, contact);
    if (asked === undefined) return sipBadRequest;
    const before = registrations.get(device.device_id);
    if (asked === 0) {
      if (before !== undefined) await changes.add({ kind: 'end', registration: before, isCertain: true });
      return sipRegistered(contact, 0);
    }
    const { minExpiresMs, maxExpiresMs } = this.#options;
    if (asked * 1000 < minExpiresMs) return sipIntervalTooBrief(Math.ceil(minExpiresMs / 1000));
    const seconds = Math.min(asked, Math.floor(maxExpiresMs / 1000));
    return this.#enter(device, seconds, request, peer);
  }

  async #enter(
    { device_id: deviceId, gbid }: KnownDevice,
    seconds: number,
    request: SipRequest,
    peer: Peer,
  ): Promise<OutgoingResponse> {
    const { registrations, changes, catalogs } = this.#deps;
    const now = performance.now();
    const before = registrations.get(deviceId);
    const registration: Registration = {
      deviceId,
      gbid,
      peer,
      expiresAt: now + seconds * 1000,
      seenAt: now,
      askAt: undefined,
      asked: 0,
      listedAt: Number.NEGATIVE_INFINITY,
    };
    const { transport, address, port } = peer;
    const userAgent = headerOf(request, 'user-agent').slice(0, MAX_USER_AGENT_LENGTH);
    const entry = { deviceId, transport, address, port, userAgent, expiresMs: seconds * 1000 };
    if (!(await changes.add({ kind: 'register', entry, registration }))) return sipForbidden;
    peer.keep();
    if (before === undefined) catalogs.schedule(registration, now);
    else catalogs.renew(registration, before, now);
    if (registration.askAt === now) catalogs.sendQuery(registration, now);
    return sipRegistered(headerOf(request, 'contact'), seconds);
  }

  /** Once a second: when the database is away, every device hits the error. */
  #warn(gbid: string, error: unknown): void {
    const now = performance.now();
    if (now - this.#warnedAt < 1000) return;
    this.#warnedAt = now;
    this.#deps.log.warn(
      { gbid, error: (error as Error).message },
      'what a device sent could not be recorded',
    );
  }

  /** The answer as it was sent. */
  #answer(request: SipRequest, peer: Peer, response: OutgoingResponse): Buffer {
    const tag = hash('sha1', `${request.callId}\n${request.cseq.number}`, 'hex').slice(0, 12);
    const bytes = formatResponse(request, peer, response, tag);
    peer.send(bytes);
    return bytes;
  }
}

const DEFAULT_EXPIRES_SECONDS = 3600;

/** Seconds; undefined if it gives none. */
function expiresOf(request: SipRequest, contact: string): number | undefined {
  const given = parameterOf(contact, 'expires') ?? headerOf(request, 'expires');
  if (given === '') return DEFAULT_EXPIRES_SECONDS;
  return /^\d{1,10}$/.test(given) ? Number(given) : undefined;
}
