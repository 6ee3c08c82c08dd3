/**
 * From a channel's program stream to its stream at the RTMP engine, through ffmpeg in the sandbox. Each stage pauses while
 * the next has no room. What arrives then is buffered up to a bound, and beyond that dropped, one packet at a time.
 */
import { FlvReader, type FlvTag, type RtmpPublisher } from '@millpond/camera-wire';
import type { LiveRemux } from '@millpond/jail';

export interface RelayEnd {
  /** In words for the user of the channel. */
  readonly reason: string;
  /** What ffmpeg said last, for operators; empty if it said nothing. */
  readonly words: string;
  readonly isH265: boolean;
  /** Whether ffmpeg produced video. */
  readonly hasVideo: boolean;
}

export interface RelayDeps {
  readonly remux: LiveRemux;
  readonly publish: (signal: AbortSignal) => Promise<RtmpPublisher>;
  /** There is video, and the engine has accepted it. */
  readonly onRunning: () => void;
}

/** Bytes that ffmpeg has not read yet: seconds of good video. */
const MAX_UNREAD_BYTES = 4 * 2 ** 20;
/** What a packet that waits occupies besides its bytes: of single bytes there would be four million. */
const PACKET_BYTES = 512;
const VIDEO_TIMEOUT_MS = 20_000;
/** The type of a video tag, and the flag of newer encodings. */
const VIDEO = 9;
const EXTENDED = 0x80;
/** Tags before the first video tag: descriptions, and sound. */
const MAX_EARLY_PACKETS = 64;

export class Relay {
  /** Never rejects. */
  readonly ended: Promise<RelayEnd>;
  readonly #deps: RelayDeps;
  readonly #over = new AbortController();
  #reason: string | undefined;
  #dropped = 0;
  #unread = 0;
  #hasVideo = false;
  #isH265 = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.ended = this.#run();
  }

  get dropped(): number {
    return this.#dropped;
  }

  write(payload: Buffer): void {
    const { stdin } = this.#deps.remux;
    const bytes = payload.length + PACKET_BYTES;
    if (this.#unread + bytes > MAX_UNREAD_BYTES || !stdin.writable) {
      this.#dropped += 1;
      return;
    }
    this.#unread += bytes;
    stdin.write(payload, () => {
      this.#unread -= bytes;
    });
  }

  /** The first reason counts. */
  close(reason: string): void {
    this.#reason ??= reason;
    this.#over.abort();
    this.#deps.remux.end();
  }

  async #run(): Promise<RelayEnd> {
    const { remux } = this.#deps;
    const patience = setTimeout(() => this.close('nothing in it could be read as video'), VIDEO_TIMEOUT_MS);
    try {
      await this.#pass(() => clearTimeout(patience));
    } catch (error) {
      this.close((error as Error).message);
    }
    clearTimeout(patience);
    const { isH265, reason, words } = await remux.ended;
    this.close(reason);
    return {
      reason: this.#reason ?? reason,
      words,
      isH265: isH265 || this.#isH265,
      hasVideo: this.#hasVideo,
    };
  }

  async #pass(onVideo: () => void): Promise<void> {
    const { remux, publish, onRunning } = this.#deps;
    const reader = new FlvReader();
    let early: FlvTag[] = [];
    let publisher: RtmpPublisher | undefined;
    try {
      for await (const chunk of remux.stdout) {
        for (const tag of reader.add(chunk as Buffer)) {
          if (publisher === undefined && !isVideo(tag)) {
            if (early.length < MAX_EARLY_PACKETS) early.push(tag);
            continue;
          }
          if (publisher === undefined) {
            this.#hasVideo = true;
            onVideo();
            this.#refuseNewer(tag);
            publisher = await publish(this.#over.signal);
            void publisher.closed.then(() => this.close('the engine closed the connection'));
            onRunning();
          }
          for (const each of [...early, tag]) await publisher.send(each);
          early = [];
        }
      }
    } finally {
      publisher?.close();
    }
  }

  /** Later versions of ffmpeg write H.265 into FLV in another form, which the engine would not recognize. */
  #refuseNewer({ payload }: FlvTag): void {
    this.#isH265 = ((payload[0] ?? 0) & EXTENDED) !== 0;
    if (this.#isH265) throw new Error('its video is not H.264');
  }
}

function isVideo({ type }: FlvTag): boolean {
  return type === VIDEO;
}
