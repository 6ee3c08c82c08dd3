/** One jailed image process: takes one image at a time, as jailed/frames.ts describes. */
import type { BlobSink } from '../blobs/index.ts';
import { JAILED_NODE, type JobLimits, type Mount, type Sandbox } from '../sandbox/index.ts';
import { ABANDON, type ImageRequest, pieceHeader } from './jailed/frames.ts';
import { IMAGE_PROGRAM } from './sharp-mounts.ts';
import type { ContentSource } from './source.ts';

export interface ImageProcess {
  /** Images it was asked about. */
  readonly asked: number;
  /** False once it has ended or is not to be trusted any more; the end is then under way. */
  readonly usable: boolean;
  /** Its line about this image; undefined if it gave none, or not before the signal was cancelled. */
  ask(source: ContentSource, request: ImageRequest, signal: AbortSignal): Promise<string | undefined>;
  memoryBytes(): number;
  end(): void;
  readonly ended: Promise<void>;
}

const MOST_REPLY_CHARACTERS = 256 * 1024;
/** A process that was told to drop an image has to say so within this time. */
const ABANDON_MS = 1000;

export function startImageProcess(
  sandbox: Sandbox,
  mounts: readonly Mount[],
  memoryBytes: number,
): ImageProcess {
  const started = sandbox.start({
    program: JAILED_NODE,
    args: ['--max-old-space-size=128', IMAGE_PROGRAM],
    mounts,
    limits: imageProcessLimits(memoryBytes),
  });
  const gone = new AbortController();
  let asked = 0;
  let answer: ((line: string | undefined) => void) | undefined;
  let text = '';

  const settle = (line: string | undefined): void => {
    answer?.(line);
    answer = undefined;
  };
  const end = (): void => {
    gone.abort(new Error('the image process has ended'));
    started.end('aborted');
    settle(undefined);
  };
  started.stdout.setEncoding('utf8');
  started.stdout.on('data', (chunk: string) => {
    text += chunk;
    const line = text.indexOf('\n');
    if (line >= 0) {
      const reply = text.slice(0, line);
      text = '';
      settle(reply);
    } else if (text.length > MOST_REPLY_CHARACTERS) end();
  });

  /** Its next line, or undefined when it ends. */
  function nextLine(): Promise<string | undefined> {
    return new Promise((resolve) => {
      answer = resolve;
      if (gone.signal.aborted) settle(undefined);
    });
  }

  async function send(source: ContentSource, request: ImageRequest, signal: AbortSignal): Promise<void> {
    const { stdin } = started;
    const sink: BlobSink = {
      write(chunk) {
        if (chunk.length > 0) stdin.write(pieceHeader(chunk.length));
        return stdin.write(chunk);
      },
      once: (event, listener) => stdin.once(event, listener),
    };
    stdin.write(`${JSON.stringify(request)}\n`);
    // A process that died reads no more: nothing else would end the reading.
    await source.read({ offset: 0, length: source.size }, sink, AbortSignal.any([signal, gone.signal]));
  }

  return {
    get asked() {
      return asked;
    },
    get usable() {
      return !gone.signal.aborted;
    },
    async ask(source, request, signal) {
      asked++;
      const reply = nextLine();
      try {
        await send(source, request, signal);
      } catch (error) {
        started.stdin.write(pieceHeader(ABANDON));
        await within(reply, AbortSignal.timeout(ABANDON_MS), end);
        if (signal.aborted || gone.signal.aborted) return undefined;
        throw error;
      }
      started.stdin.write(pieceHeader(0));
      return within(reply, signal, end);
    },
    memoryBytes: () => started.memoryBytes(),
    ended: started.ended.then(end, end),
    end,
  };
}

/** A decoder can't be interrupted: when the time is over its process is ended, which settles the reply. */
async function within<Reply>(reply: Promise<Reply>, signal: AbortSignal, late: () => void): Promise<Reply> {
  if (signal.aborted) late();
  signal.addEventListener('abort', late, { once: true });
  const settled = await reply;
  signal.removeEventListener('abort', late);
  return settled;
}

function imageProcessLimits(memoryBytes: number): JobLimits {
  return {
    wallMs: Number.POSITIVE_INFINITY,
    memoryBytes,
    processes: 64,
    fileBytes: 0,
    totalBytes: 0,
    files: 0,
    stdoutBytes: 0,
    stderrBytes: 4096,
  };
}
