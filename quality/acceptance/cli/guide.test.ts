/** The commands of the page about the command line, run as they are printed. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { COMMAND } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { target } from '../support/target.ts';

const docs = path.join(import.meta.dirname, '../../../docs');
const cli = useCommandLine({ MILLPOND_ENDPOINT: target.url, MILLPOND_URL: target.url });
const run = promisify(execFile);

beforeAll(() => sdkClient().buckets.create('photos', 'z0'));

async function blocks(page: string, kind: string): Promise<string[]> {
  const text = await readFile(path.join(docs, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

test('every command of the page about the command line', async () => {
  const commands = await blocks('cli.md', 'sh');
  expect(commands.length).toBeGreaterThan(4);
  // The command of this checkout; the commands themselves stay as printed.
  const script = `npx() { shift; '${process.execPath}' '${COMMAND}' "$@"; }\n${commands.join('\n')}`;
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: cli.folder,
    env: { PATH: process.env.PATH, ...cli.environment },
  });
  expect(stdout).toContain('ended with 1\n');
  expect(stdout).toContain('signature good\n');
  expect(stdout).toContain('text/markdown\n  colour=blue\n');
  expect(stdout).toContain('2 objects deleted\n');
  expect(stdout).toMatch(
    /^0 would be copied, 1 deleted; 2 the same, 0 failed\n0 copied .*; 1 deleted, 2 the same, 0 failed$/m,
  );
});
