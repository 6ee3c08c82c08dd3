/**
 * One attempt to get a channel's video: a port, a call to the device, and its media relayed to the engine, until one of
 * them ends it. Reports why it ended, in words that can be shown to its user, and leaves nothing behind.
 */
import type { Log } from '@millpond/base';
import {
  type Dialog,
  type IntakeCounts,
  type InviteTransactions,
  type MediaAnswer,
  type MediaPorts,
  openRtpReceiver,
  type Peer,
  parseMediaAnswer,
  publishRtmp,
  type RtpReceiver,
  SipParseError,
} from '@millpond/camera-wire';
import { EngineMissingError, type LiveRemuxOptions, type MediaEngine } from '@millpond/jail';
import type { Feeds } from '../../streams/index.ts';
import { type InvitationOptions, invitationTo } from './invitation.ts';
import { Relay } from './relay.ts';

export interface MediaSessionDeps {
  readonly invites: InviteTransactions;
  readonly ports: MediaPorts;
  readonly feeds: Feeds;
  readonly media: () => Promise<MediaEngine>;
  readonly log: Log;
}

export interface MediaSessionOptions extends InvitationOptions {
  /** Where media are received. */
  readonly address: string;
  /** The session ends after this long without a packet. */
  readonly silenceMs: number;
}

export interface MediaSessionRequest {
  readonly peer: Peer;
  /** The device's current address. */
  readonly peerNow: () => Peer | undefined;
  readonly target: string;
  readonly ssrc: string;
  readonly stream: { readonly nsId: string; readonly streamId: string };
  readonly remux: LiveRemuxOptions;
  /** Progress: the device took the call, or there is video. */
  readonly onChange: () => void;
}

export interface MediaSessionEnd {
  readonly reason: string;
  /** How long there was video; 0: never. */
  readonly seenMs: number;
  readonly isH265: boolean;
  /** Media arrived, but ffmpeg could make nothing of it. */
  readonly isUnreadable: boolean;
}

const NO_COUNTS: IntakeCounts = { packets: 0, lost: 0, late: 0, foreign: 0 };
const CHECK_INTERVAL_MS = 500;
const NOT_WANTED = 'it is no longer needed';

export class MediaSession {
  /** Never rejects. */
  readonly ended: Promise<MediaSessionEnd>;
  readonly request: MediaSessionRequest;
  readonly #deps: MediaSessionDeps;
  readonly #options: MediaSessionOptions;
  readonly #stopped = new AbortController();
  #receiver: RtpReceiver | undefined;
  #relay: Relay | undefined;
  #dialog: Dialog | undefined;
  #seenSince: number | undefined;
  #reason: string | undefined;
  #isH265 = false;
  #isUnreadable = false;

  constructor(deps: MediaSessionDeps, options: MediaSessionOptions, request: MediaSessionRequest) {
    this.#deps = deps;
    this.#options = options;
    this.request = request;
    this.ended = this.#run();
  }

  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  get isRunning(): boolean {
    return this.#seenSince !== undefined;
  }

  get counts(): IntakeCounts & { readonly dropped: number } {
    return { ...(this.#receiver?.counts ?? NO_COUNTS), dropped: this.#relay?.dropped ?? 0 };
  }

  /** The device has ended the call. */
  hungUp(): void {
    this.#dialog = undefined;
    this.stop('the device hung up');
  }

  /** Tells the device that the call is over, if there is one. */
  bye(): void {
    const { peer, peerNow } = this.request;
    if (this.#dialog !== undefined) void this.#deps.invites.bye(peerNow() ?? peer, this.#dialog);
  }

  stop(reason = NOT_WANTED): void {
    this.#reason ??= reason;
    this.#stopped.abort();
    this.#relay?.close(reason);
  }

  async #run(): Promise<MediaSessionEnd> {
    const { ports } = this.#deps;
    const port = ports.acquire();
    const reason =
      port === undefined
        ? 'all media ports are in use'
        : await this.#at(port).catch((error: unknown) => this.#wordsOf(error));
    if (port !== undefined) ports.release(port);
    const seenMs = this.#seenSince === undefined ? 0 : performance.now() - this.#seenSince;
    const isUnreadable = this.#isUnreadable && this.#reason === undefined;
    return { reason: this.#reason ?? reason, seenMs, isH265: this.#isH265, isUnreadable };
  }

  /** For the owner of the channel: nothing about the machine on which it failed. */
  #wordsOf(error: unknown): string {
    if (error instanceof SipParseError) return error.message;
    this.#deps.log.warn({ error: (error as Error).message }, 'media of a channel failed');
    return error instanceof EngineMissingError ? 'this server has no ffmpeg for media' : 'the server failed';
  }

  async #at(port: number): Promise<string> {
    const { transport, address } = this.#options;
    this.#receiver = await openRtpReceiver({
      transport,
      address,
      port,
      onPayload: (payload) => this.#relay?.write(payload),
      onEnd: () => this.stop('the device closed its connection'),
      onFailure: (error) => this.stop(this.#wordsOf(error)),
    });
    try {
      // Before the call: the first thing to arrive is the key frame, and a machine without a sandbox has no use for it.
      const media = await this.#deps.media();
      return await this.#fed((url) => this.#call(media, url, port));
    } finally {
      this.#receiver.close();
    }
  }

  async #fed(call: (url: string) => Promise<string>): Promise<string> {
    const internalPublish = await this.#deps.feeds.open(this.request.stream);
    if (internalPublish === undefined) return 'the device was deleted';
    try {
      return await call(internalPublish.url);
    } finally {
      // If it stays open, it lets in nobody who does not know its secret.
      await internalPublish.close().catch(() => undefined);
    }
  }

  async #call(media: MediaEngine, url: string, port: number): Promise<string> {
    const { invites } = this.#deps;
    const { peer, target, ssrc } = this.request;
    const invitation = invitationTo({ peer, target, ssrc, port }, this.#options);
    const outcome = await invites.invite(peer, invitation, this.#stopped.signal);
    if (outcome.kind === 'silent') return 'the device does not answer';
    if (outcome.kind === 'refused') return `the device answers ${outcome.status} ${outcome.reason}`.trim();
    this.#dialog = outcome.dialog;
    this.request.onChange();
    try {
      const answer = parseMediaAnswer(outcome.body);
      if (answer.transport !== this.#options.transport)
        return `the device would send over ${answer.transport}, which was not requested`;
      return await this.#pass(answer, media, url);
    } finally {
      this.bye();
    }
  }

  async #pass(answer: MediaAnswer, media: MediaEngine, url: string): Promise<string> {
    const { peer, ssrc, remux } = this.request;
    const relay = new Relay({
      remux: media.remuxLive(remux),
      publish: (signal) => publishRtmp(url, signal),
      onRunning: () => {
        this.#seenSince = performance.now();
        this.request.onChange();
      },
    });
    this.#relay = relay;
    // It may have been stopped just as the device took the call.
    if (this.#reason !== undefined) relay.close(this.#reason);
    this.#receiver?.expect({
      // Behind NAT a device does not know its own address.
      addresses: [answer.address, peer.address],
      announced: answer,
      ssrc: answer.ssrc ?? Number(ssrc),
      payloadType: answer.payloadType,
    });
    const watch = this.#watchSilence();
    try {
      const { reason, words, isH265, hasVideo } = await relay.ended;
      if (words !== '' && !isH265 && this.#reason === undefined)
        this.#deps.log.warn({ error: words }, 'media of a channel failed');
      [this.#isH265, this.#isUnreadable] = [isH265, !hasVideo && this.counts.packets > 0];
      return reason;
    } finally {
      clearInterval(watch);
    }
  }

  #watchSilence(): NodeJS.Timeout {
    let [before, since] = [-1, 0];
    return setInterval(() => {
      const now = performance.now();
      const { packets } = this.counts;
      if (packets !== before) [before, since] = [packets, now];
      else if (now - since >= this.#options.silenceMs) this.stop('the device sends nothing');
    }, CHECK_INTERVAL_MS);
  }
}
