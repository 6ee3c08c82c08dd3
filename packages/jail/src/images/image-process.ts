/** One sandboxed image process: takes one request at a time, as sandboxed/framing.ts describes. */
import type { BlobSink, ContentSource } from '@millpond/blobs';
import type { JobLimits, ProcessExit, Sandbox } from '../sandbox/index.ts';
import type { ImageCommand } from './image-command.ts';
import { createReplyReader, type RawReply } from './reply-reader.ts';
import { ABANDON, pieceHeader } from './sandboxed/framing.ts';
import type { ImageRequest } from './sandboxed/requests.ts';

export interface ImageProcess {
  /** How many requests it has been given. */
  readonly asked: number;
  /** False once it has ended or is no longer trusted; it is then being ended. */
  readonly usable: boolean;
  /** Its reply; undefined if it gave none, or not before the signal was cancelled. */
  ask(
    images: readonly ContentSource[],
    request: ImageRequest,
    signal: AbortSignal,
  ): Promise<RawReply | undefined>;
  memoryBytes(): number;
  end(): void;
  /** How it ended, once it is gone. */
  readonly ended: Promise<'memory' | 'killed' | 'crashed'>;
}

const MAX_JSON_BYTES = 256 * 1024;
/** A process that was told to drop a request must confirm within this time. */
const ABANDON_MS = 1000;

export interface ImageProcessOptions {
  readonly command: ImageCommand;
  readonly memoryBytes: number;
  /** A larger image is not accepted. */
  readonly maxReplyBytes: number;
}

export function startImageProcess(sandbox: Sandbox, options: ImageProcessOptions): ImageProcess {
  const started = sandbox.start({
    ...options.command,
    limits: imageProcessLimits(options.memoryBytes),
  });
  const gone = new AbortController();
  const reader = createReplyReader(MAX_JSON_BYTES, options.maxReplyBytes);
  let asked = 0;
  let answer: ((reply: RawReply | undefined) => void) | undefined;

  const settle = (reply: RawReply | undefined): void => {
    answer?.(reply);
    answer = undefined;
  };
  const end = (): void => {
    gone.abort(new Error('the image process has ended'));
    started.end('aborted');
    settle(undefined);
  };
  started.stdout.on('data', (chunk: Buffer) => {
    const reply = answer === undefined ? 'broken' : reader.push(chunk);
    if (reply === 'broken') end();
    else if (reply !== undefined) settle(reply);
  });

  /** Its next reply, or undefined when it ends. */
  function nextReply(): Promise<RawReply | undefined> {
    return new Promise((resolve) => {
      answer = resolve;
      if (gone.signal.aborted) settle(undefined);
    });
  }

  async function send(images: readonly ContentSource[], request: ImageRequest, signal: AbortSignal) {
    const { stdin } = started;
    const once: BlobSink['once'] = (event, listener) => stdin.once(event, listener);
    const inPieces: BlobSink = {
      write(chunk) {
        if (chunk.length > 0) stdin.write(pieceHeader(chunk.length));
        return stdin.write(chunk);
      },
      once,
    };
    const asOne: BlobSink = { write: (chunk) => stdin.write(chunk), once };
    stdin.write(`${JSON.stringify(request)}\n`);
    // A dead process reads no more: nothing else would end the reading.
    const either = AbortSignal.any([signal, gone.signal]);
    for (const image of images) {
      // A source that cannot break off needs no pieces, and need not be reassembled on the other side.
      if (image.inMemory && image.size > 0) stdin.write(pieceHeader(image.size));
      await image.read({ offset: 0, length: image.size }, image.inMemory ? asOne : inPieces, either);
      stdin.write(pieceHeader(0));
    }
  }

  return {
    get asked() {
      return asked;
    },
    get usable() {
      return !gone.signal.aborted;
    },
    async ask(images, request, signal) {
      asked++;
      const reply = nextReply();
      try {
        await send(images, request, signal);
      } catch (error) {
        started.stdin.write(pieceHeader(ABANDON));
        await within(reply, AbortSignal.timeout(ABANDON_MS), end);
        if (signal.aborted || gone.signal.aborted) return undefined;
        throw error;
      }
      return within(reply, signal, end);
    },
    memoryBytes: () => started.memoryBytes(),
    ended: started.ended.then(
      (how) => {
        end();
        return howItEnded(how);
      },
      () => {
        end();
        return 'killed' as const;
      },
    ),
    end,
  };
}

/** A full heap ends in Node's own abort. SIGKILL comes only from us or the kernel's owner. */
export function howItEnded({
  outcome,
  signal,
}: Pick<ProcessExit, 'outcome' | 'signal'>): 'memory' | 'killed' | 'crashed' {
  if (outcome === 'memory' || signal === 'SIGABRT') return 'memory';
  return signal === 'SIGKILL' ? 'killed' : 'crashed';
}

/** A decoder cannot be interrupted: when the time is up its process is ended, which settles the reply. */
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
