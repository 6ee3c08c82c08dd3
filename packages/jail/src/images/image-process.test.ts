import { expect, test } from 'vitest';
import { howItEnded } from './image-process.ts';

test.each([
  ['memory', undefined, 'memory'],
  ['killed', 'SIGABRT', 'memory'],
  ['killed', 'SIGKILL', 'killed'],
  ['killed', 'SIGSEGV', 'crashed'],
  ['exited', undefined, 'crashed'],
  ['aborted', undefined, 'crashed'],
] as const)('a process whose end was %s by %s has %s', (outcome, signal, how) => {
  expect(howItEnded({ outcome, signal })).toBe(how);
});
