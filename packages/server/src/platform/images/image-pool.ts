/**
 * A few image processes, kept and reused, because starting one costs more than most images. A process is replaced when it has
 * served many requests, has grown, was too late, or died: libvips seldom gives memory back, and whatever a hostile image has
 * done to a process ends with it.
 */
import type { ContentSource } from '../content-source.ts';
import { createGate, type Gate, TooManyWaiting } from '../gate.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { imageCommand } from './image-command.ts';
import { type ImageProcess, startImageProcess } from './image-process.ts';
import type { RawReply } from './reply-reader.ts';
import type { ImageRequest } from './sandboxed/requests.ts';

export interface ImagePoolOptions {
  readonly sandbox: Sandbox;
  readonly processes: number;
  readonly waiting: number;
  /** A process that uses more is killed. */
  readonly memoryBytes: number;
  /** A process that uses more after an image is replaced. */
  readonly recycleBytes: number;
  readonly recycleAfter: number;
  /** A process that produces a larger image is ended. */
  readonly maxReplyBytes: number;
}

/**
 * - busy: too many at once
 * - late: cancelled
 * - memory: it used more than allowed
 * - killed: by somebody else, or because the pool is closing
 * - crashed: it ended by itself, or wrote something that is no reply
 */
export type ImageAnswer = RawReply | 'busy' | 'late' | 'memory' | 'killed' | 'crashed';

export interface ImagePool {
  /** Rejects only if an image cannot be read, or if the signal is cancelled while waiting for a process. */
  ask(images: readonly ContentSource[], request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export function createImagePool(options: ImagePoolOptions): ImagePool {
  const gate = createGate(options.processes, options.waiting);
  const idle: ImageProcess[] = [];
  const all = new Set<ImageProcess>();
  const command = imageCommand(options.sandbox);
  let closed = false;

  function take(): ImageProcess {
    for (let process = idle.pop(); process !== undefined; process = idle.pop())
      if (process.usable) return process;
    const started = startImageProcess(options.sandbox, { ...options, command });
    all.add(started);
    void started.ended.finally(() => all.delete(started));
    return started;
  }

  function giveBack(process: ImageProcess): void {
    const old = process.asked >= options.recycleAfter || process.memoryBytes() > options.recycleBytes;
    if (process.usable && !old) idle.push(process);
    else process.end();
  }

  return {
    async ask(images, request, signal) {
      const leave = await admitted(gate, signal);
      if (leave === undefined) return 'busy';
      try {
        if (closed) return 'killed';
        const process = take();
        try {
          const reply = await process.ask(images, request, signal);
          if (reply !== undefined) return reply;
          if (signal.aborted) return 'late';
          const end = await process.ended;
          return closed ? 'killed' : end;
        } finally {
          giveBack(process);
        }
      } finally {
        leave();
      }
    },
    async close() {
      closed = true;
      for (const process of all) process.end();
      await Promise.all([...all].map(({ ended }) => ended));
    },
  };
}

/** Undefined: too many are waiting already. */
async function admitted(gate: Gate, signal: AbortSignal): Promise<(() => void) | undefined> {
  try {
    return await gate.enter(signal);
  } catch (error) {
    if (error instanceof TooManyWaiting) return undefined;
    throw error;
  }
}
