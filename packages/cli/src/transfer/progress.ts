/**
 * How far a transfer has come. On a terminal, bars with rate and remaining time, redrawn in place; elsewhere a plain
 * line every five seconds. On standard error, so that results can be piped.
 */
import { MIB } from '@millpond/protocol';
import { barText } from '../bar.ts';
import { bytesText, durationText, escapeForTerminal } from '../remote/text.ts';

export interface Progress {
  /** More to do: this many things with this many bytes. */
  expect(count: number, bytes: number): void;
  /** A thing began; the returned function reports its bytes. */
  begin(name: string, size: number | undefined): (done: number) => void;
  /** It ended, successfully or not. */
  end(name: string): void;
  /** Prints a line in between. */
  say(line: string): void;
  close(): void;
}

export interface ProgressOptions {
  readonly quiet?: boolean | undefined;
  readonly stream?: NodeJS.WriteStream;
  readonly now?: () => number;
}

interface RunningTransfer {
  readonly size: number | undefined;
  done: number;
}

const DRAW_MS = 200;
const LINE_MS = 5000;
const WINDOW_MS = 10_000;
/** Things below this size come and go too fast to be read. */
const SHOWN_BYTES = 8 * MIB;
const MAX_SHOWN_FILES = 4;

const silent: Progress = {
  expect: () => undefined,
  begin: () => () => undefined,
  end: () => undefined,
  say: () => undefined,
  close: () => undefined,
};

export function openProgress(options: ProgressOptions): Progress {
  return options.quiet
    ? silent
    : new TerminalProgress(options.stream ?? process.stderr, options.now ?? Date.now);
}

class TerminalProgress implements Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #now: () => number;
  readonly #underWay = new Map<string, RunningTransfer>();
  readonly #samples: { at: number; bytes: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #counts = { expected: 0, ended: 0 };
  #bytes = { expected: 0, done: 0 };
  #drawn = 0;

  constructor(stream: NodeJS.WriteStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#samples.push({ at: now(), bytes: 0 });
    this.#timer = setInterval(() => this.#tell(), stream.isTTY ? DRAW_MS : LINE_MS);
    this.#timer.unref();
  }

  expect(count: number, bytes: number): void {
    this.#counts.expected += count;
    this.#bytes.expected += bytes;
  }

  begin(name: string, size: number | undefined): (done: number) => void {
    const entry = { size, done: 0 };
    this.#underWay.set(name, entry);
    return (done) => {
      this.#bytes.done += done - entry.done;
      entry.done = done;
    };
  }

  end(name: string): void {
    this.#underWay.delete(name);
    this.#counts.ended++;
  }

  say(line: string): void {
    this.#stream.write(`${this.#stream.isTTY ? this.#erased() : ''}${line}\n`);
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#stream.isTTY) this.#stream.write(this.#erased());
  }

  #tell(): void {
    const now = this.#now();
    this.#samples.push({ at: now, bytes: this.#bytes.done });
    while (this.#samples.length > 2 && now - (this.#samples[0]?.at ?? now) > WINDOW_MS) this.#samples.shift();
    if (!this.#stream.isTTY) {
      this.#stream.write(`${this.#total()}\n`);
      return;
    }
    const large = [...this.#underWay].filter(([, { size = SHOWN_BYTES }]) => size >= SHOWN_BYTES);
    const lines = [
      ...large.slice(0, MAX_SHOWN_FILES).map(([name, entry]) => this.#one(name, entry)),
      this.#total(),
    ].map((line) => line.slice(0, (this.#stream.columns || 80) - 1));
    this.#stream.write(`${this.#erased()}${lines.join('\n')}`);
    this.#drawn = lines.length;
  }

  #erased(): string {
    const up = this.#drawn > 1 ? `\u001b[${this.#drawn - 1}A` : '';
    this.#drawn = 0;
    return `\r${up}\u001b[J`;
  }

  #one(name: string, { size, done }: RunningTransfer): string {
    const share = size === undefined ? bytesText(done) : `${barText(done, size)} ${bytesText(size)}`;
    return `${share}  ${escapeForTerminal(name)}`;
  }

  #total(): string {
    const { expected, ended } = this.#counts;
    const first = this.#samples[0] ?? { at: 0, bytes: 0 };
    const last = this.#samples.at(-1) ?? first;
    const rate = last.at === first.at ? 0 : ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
    const { done, expected: bytes } = this.#bytes;
    const speed = `${bytesText(Math.round(rate))}/s`;
    // The total may be unknown: for a pipe, or a list.
    if (bytes === 0 || done > bytes || ended > expected)
      return [`${ended} done`, bytesText(done), speed].join('  ');
    return [
      barText(done, bytes),
      `${ended}/${expected}`,
      `${bytesText(done)} of ${bytesText(bytes)}`,
      speed,
      `${durationText((bytes - done) / rate)} left`,
    ].join('  ');
  }
}
