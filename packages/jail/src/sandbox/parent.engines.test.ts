// @module-tag sandbox
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countMarked, eventually, newMark, temporaryRoot } from './sandbox.testing.ts';
import { openSandbox } from './sandbox.ts';

const PROGRAM = path.join(import.meta.dirname, 'testing-process.ts');
let root: string;

beforeEach(() => {
  root = temporaryRoot();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function startParent(args: string[], user?: number, confinement = 'bubblewrap'): ChildProcess {
  return spawn(process.execPath, [PROGRAM, confinement, root, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  await once(child, 'close');
  return text;
}

test('a killed parent leaves no child, and the next start removes its directories', async () => {
  const mark = newMark();
  const parent = startParent([
    '/bin/bash',
    '-c',
    `perl -e 'sleep 100' ${mark} & perl -e 'sleep 100' ${mark}`,
  ]);
  // The parent, the outer process of the sandbox, the shell and its two children.
  expect(await eventually(() => countMarked(mark) >= 5)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  expect(await eventually(() => countMarked(mark) === 0)).toBe(true);

  expect(readdirSync(root)).toHaveLength(1);
  const next = await openSandbox({ root });
  const [home = ''] = readdirSync(root);
  expect(readdirSync(root)).toHaveLength(1);
  expect(home).toContain(`-${process.pid}-`);
  await next.close();
});

test('without a sandbox too, a killed parent leaves no child, and the next start removes its directories', async () => {
  // Killed as soon as the child is there, perhaps before the child asked to go with its parent.
  for (let round = 0; round < 5; round++) {
    const mark = newMark();
    const parent = startParent(['/usr/bin/perl', '-e', 'sleep 100', mark], undefined, 'none');
    expect(await eventually(() => countMarked(mark) >= 2)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(await eventually(() => countMarked(mark) === 0)).toBe(true);
  }
  const next = await openSandbox({ root });
  expect(readdirSync(root)).toEqual([expect.stringContaining(`-${process.pid}-`)]);
  await next.close();
});

test('a start ends what was left waiting by a server that was killed as it began a sandbox', async () => {
  const space = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  const home = path.join(root, `${space}-999999999-1-0123abcd`);
  mkdirSync(home);
  const orphan = spawn('/usr/bin/perl', ['-e', 'sleep 100', `${home}/filter`]);
  const other = spawn('/usr/bin/perl', ['-e', 'sleep 100', `${root}/another`]);
  await Promise.all([once(orphan, 'spawn'), once(other, 'spawn')]);
  const next = await openSandbox({ root });
  await expect.poll(() => orphan.signalCode).toBe('SIGKILL');
  expect([other.signalCode, existsSync(home)]).toEqual([null, false]);
  other.kill();
  await next.close();
});

test('a start leaves the directories of another living process alone', async () => {
  const first = await openSandbox({ root });
  const seen = await first.withJob(async (jobDir) => {
    const second = startParent(['/bin/true']);
    await once(second, 'exit');
    return readdirSync(jobDir);
  });
  expect(seen).toEqual([]);
  await first.close();
});

test.runIf(process.getuid?.() === 0)('a server that is not root has the same sandbox', async () => {
  chownSync(root, 65534, 65534);
  const script =
    'mkdir -p locked/x; chmod 0 locked; id -u; cat /etc/passwd; touch /usr/x; head -c 3 /proc/self/status';
  const text = await outputOf(startParent(['/bin/bash', '-c', script], 65534));
  const [, line = '{}'] = text.split('\n');
  const result = JSON.parse(line) as { outcome: string; stdout: string; stderr: string };
  expect(result).toMatchObject({ outcome: 'exited', stdout: '65534\nNam' });
  expect(result.stderr).toMatch(/No such file[\s\S]*Read-only file system/);
  expect(readdirSync(root)).toEqual([]);
});
