/** For the tests of this folder: a sandbox, content in memory, and media made by ffmpeg. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openLog } from '@millpond/base';
import type { ContentSource } from '@millpond/blobs';
import { openSandbox, type Sandbox } from '../sandbox/index.ts';
import { temporaryRoot } from '../sandbox/sandbox.testing.ts';
import { type Inspector, type InspectorOptions, openInspector } from './inspector.ts';

export const silent = openLog('silent');

export interface TestSource extends ContentSource {
  /** Bytes read so far. */
  readonly bytesRead: () => number;
}

/** Content in memory, delivered in pieces with respect for the sink's backpressure, as a blob store does. */
export function contentOf(content: Uint8Array, pieceBytes = 65_536): TestSource {
  let bytesRead = 0;
  return {
    size: content.length,
    bytesRead: () => bytesRead,
    async read({ offset, length }, sink, signal) {
      for (let at = offset; at < offset + length; at += pieceBytes) {
        signal.throwIfAborted();
        const piece = content.subarray(at, Math.min(at + pieceBytes, offset + length));
        bytesRead += piece.length;
        if (!sink.write(piece)) await drained(sink, signal);
      }
    },
  };
}

function drained(sink: Parameters<ContentSource['read']>[1], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.once('drain', resolve);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

export interface TestBench {
  readonly root: string;
  readonly sandbox: Sandbox;
  /** Image processes started so far. */
  readonly starts: () => number;
  open(options?: Partial<InspectorOptions>): Promise<Inspector>;
  /** What ffmpeg writes with these arguments into a file of this name. */
  make(name: string, args: readonly string[]): Buffer;
  /** Job directories that exist at this moment. */
  jobs(): string[];
  close(): Promise<void>;
}

export async function openBench(): Promise<TestBench> {
  const root = temporaryRoot();
  const plain = await openSandbox({ root });
  let starts = 0;
  const sandbox: Sandbox = {
    ...plain,
    start(options) {
      starts++;
      return plain.start(options);
    },
  };
  const opened: Inspector[] = [];
  const [home = ''] = readdirSync(root);
  return {
    root,
    sandbox,
    starts: () => starts,
    async open(options = {}) {
      // Generous: the machine may be busy. Deadlines have separate tests.
      const inspector = await openInspector({ sandbox, log: silent, deadlineMs: 20_000, ...options });
      opened.push(inspector);
      return inspector;
    },
    make(name, args) {
      const file = path.join(root, name);
      execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args, file]);
      return readFileSync(file);
    },
    jobs: () => readdirSync(path.join(root, home)).filter((name) => name !== 'filter'),
    async close() {
      await Promise.all(opened.map((inspector) => inspector.close()));
      await plain.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
