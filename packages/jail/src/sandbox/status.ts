/** What the sandbox reports about itself while it runs: lines of JSON, from a program of ours, yet read within a limit. */
import type { Readable } from 'node:stream';

export interface SandboxStatus {
  /** Process 1 of the sandbox, as seen from outside. */
  readonly pid: number | undefined;
  /** Absent when the program was never started. */
  readonly exitCode: number | undefined;
}

const MAX_BYTES = 4096;

export function followStatus(stream: Readable, onStarted: (pid: number) => void): SandboxStatus {
  const status: { pid: number | undefined; exitCode: number | undefined } = {
    pid: undefined,
    exitCode: undefined,
  };
  let text = '';
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    if (text.length < MAX_BYTES) text += chunk.toString('latin1');
    if (status.pid === undefined) {
      status.pid = numberIn(text, 'child-pid');
      if (status.pid !== undefined) onStarted(status.pid);
    }
    status.exitCode ??= numberIn(text, 'exit-code');
  });
  return status;
}

function numberIn(text: string, name: string): number | undefined {
  const found = new RegExp(`"${name}": (\\d{1,10})[,\\s}]`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
