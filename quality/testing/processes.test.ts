import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { cpuSecondsOf, familyOf, memoryOf, residentMiB, statOf } from './processes.ts';

test('a process’s family has what any of its threads started', async () => {
  const code = `const { spawn } = require('node:child_process');
    require('node:worker_threads').parentPort.postMessage(spawn('sleep', ['600']).pid);`;
  const worker = new Worker(code, { eval: true });
  const [pid] = (await once(worker, 'message')) as [number];
  try {
    expect(familyOf(process.pid)).toEqual(expect.arrayContaining([process.pid, pid]));
    expect(statOf(pid)).toMatchObject({ ticksOfEnded: 0 });
  } finally {
    process.kill(pid);
    await worker.terminate();
  }
});

test('of a process that has ended there is nothing', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  const pid = child.pid ?? 0;
  expect(familyOf(pid)).toEqual([]);
  expect(statOf(pid)).toBeUndefined();
  expect(cpuSecondsOf(pid)).toBe(0);
  expect(residentMiB(pid, 'most')).toBe(0);
});

test('processor time includes children that have ended', async () => {
  const before = cpuSecondsOf(process.pid);
  const busy = 'const end = process.cpuUsage().user + 2e5; while (process.cpuUsage().user < end);';
  await once(spawn(process.execPath, ['-e', busy]), 'exit');
  expect(cpuSecondsOf(process.pid) - before).toBeGreaterThan(0.15);
});

test('memory: the most is no less than now, and a family has its own', () => {
  expect(residentMiB(process.pid, 'most')).toBeGreaterThanOrEqual(residentMiB(process.pid, 'now') * 0.9);
  expect(memoryOf(process.pid).processes).toBeGreaterThanOrEqual(1);
});
