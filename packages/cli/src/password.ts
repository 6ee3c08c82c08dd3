/** A password or another secret from standard input: typed without echo at a terminal, or the first line of a pipe. Never an argument. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './exit.ts';

export async function readPassword(what = 'Password'): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(`${what}: `);
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    if (isTerminal) process.stderr.write('\n');
    if (value === undefined || value === '')
      throw new UsageError(`no ${what.toLowerCase()} was given on standard input`);
    // Bytes that are not UTF-8 became this, and would equal any other such password of that length.
    if (value.includes('\ufffd')) throw new UsageError(`the ${what.toLowerCase()} is not UTF-8`);
    return value;
  } finally {
    lines.close();
  }
}
