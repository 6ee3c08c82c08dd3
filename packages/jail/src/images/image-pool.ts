/**
 * A few image processes, kept and reused, because starting one costs more than most images. A process is replaced when it has
 * served many requests, has grown, was too late, or died: libvips seldom gives memory back, and whatever a hostile image has
 * done to a process ends with it.
 */
import { FairSemaphore, TooManyWaitersError } from '@millpond/base';
import type { ContentSource } from '@millpond/blobs';
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
  /**
   * Rejects only if an image cannot be read, or if the signal is cancelled while waiting for a process. Tenants take turns, and who
   * holds several processes gives one up, and begins again later, if another waits.
   */
  ask(
    images: readonly ContentSource[],
    request: ImageRequest,
    signal: AbortSignal,
    tenant?: bigint,
  ): Promise<ImageAnswer>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export function createImagePool(options: ImagePoolOptions): ImagePool {
  const { processes, waiting } = options;
  const gate = new FairSemaphore<bigint | undefined>({
    slots: processes,
    slotsEach: Math.max(1, processes - 1),
    waiting,
  });
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

  /** Undefined: it had to make way for another tenant. */
  async function askOne(
    images: readonly ContentSource[],
    request: ImageRequest,
    signal: AbortSignal,
    makeWay: AbortSignal,
  ): Promise<ImageAnswer | undefined> {
    if (closed) return 'killed';
    const process = take();
    try {
      const reply = await process.ask(images, request, AbortSignal.any([signal, makeWay]));
      if (reply !== undefined) return reply;
      if (signal.aborted) return 'late';
      if (makeWay.aborted) return undefined;
      const end = await process.ended;
      return closed ? 'killed' : end;
    } finally {
      giveBack(process);
    }
  }

  return {
    async ask(images, request, signal, tenant) {
      for (;;) {
        const makeWay = new AbortController();
        let leave: () => void;
        try {
          leave = await gate.enter(tenant, signal, () => makeWay.abort());
        } catch (error) {
          if (error instanceof TooManyWaitersError) return 'busy';
          throw error;
        }
        try {
          const answer = await askOne(images, request, signal, makeWay.signal);
          if (answer !== undefined) return answer;
        } finally {
          leave();
        }
      }
    },
    async close() {
      closed = true;
      for (const process of all) process.end();
      await Promise.all([...all].map(({ ended }) => ended));
    },
  };
}
