/**
 * A few image processes, kept and used again, because starting one costs more than most images. One is ended and
 * replaced when it has been asked often, has grown, was too late, or died: libvips seldom gives memory back, and what
 * a hostile image has done to a process ends with it.
 */
import type { Mount, Sandbox } from '../sandbox/index.ts';
import { createGate } from './gate.ts';
import { type ImageInspection, readImageAnswer } from './image-answer.ts';
import { type ImageProcess, startImageProcess } from './image-process.ts';
import type { ContentSource } from './source.ts';

export interface ImagePoolOptions {
  readonly sandbox: Sandbox;
  readonly mounts: readonly Mount[];
  readonly processes: number;
  readonly waiting: number;
  /** A process that uses more is killed. */
  readonly memoryBytes: number;
  /** One that uses more after an image is replaced. */
  readonly recycleBytes: number;
  readonly recycleAfter: number;
  readonly maxBytes: number;
  readonly maxPixels: number;
  readonly decodeMs: number;
}

export interface ImagePool {
  /** undefined: not an image, too large, or not told before the signal was cancelled. TooManyLooks: turned away. */
  inspect(source: ContentSource, average: boolean, signal: AbortSignal): Promise<ImageInspection | undefined>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export function createImagePool(options: ImagePoolOptions): ImagePool {
  const gate = createGate(options.processes, options.waiting);
  const idle: ImageProcess[] = [];
  const all = new Set<ImageProcess>();
  let closed = false;

  function take(): ImageProcess {
    for (let process = idle.pop(); process !== undefined; process = idle.pop())
      if (process.usable) return process;
    const started = startImageProcess(options.sandbox, options.mounts, options.memoryBytes);
    all.add(started);
    void started.ended.then(() => all.delete(started));
    return started;
  }

  function giveBack(process: ImageProcess): void {
    const old = process.asked >= options.recycleAfter || process.memoryBytes() > options.recycleBytes;
    if (process.usable && !old) idle.push(process);
    else process.end();
  }

  return {
    async inspect(source, average, signal) {
      if (source.size === 0 || source.size > options.maxBytes) return undefined;
      const leave = await gate.enter(signal);
      try {
        if (closed) return undefined;
        const process = take();
        try {
          const { maxBytes, maxPixels } = options;
          const request = { average, maxBytes, maxPixels, seconds: Math.ceil(options.decodeMs / 1000) };
          const line = await process.ask(source, request, signal);
          return line === undefined ? undefined : readImageAnswer(line, source.size);
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
