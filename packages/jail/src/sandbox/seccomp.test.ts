import { describe, expect, test } from 'vitest';
import { buildSeccompFilter } from './seccomp.ts';
import { deniedCalls, type Machine, machineOf } from './syscalls.ts';

interface Call {
  readonly audit: number;
  readonly number: number;
  readonly firstArgument?: number;
}

/** Runs the filter as the kernel does and returns its verdict. */
function runFilter(filter: Uint8Array, { audit, number, firstArgument = 0 }: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit >>> 0, 4);
  data.writeUInt32LE(firstArgument >>> 0, 16);
  const program = Buffer.from(filter);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = program.readUInt32LE(at + 4);
    const jump = (holds: boolean): number => program.readUInt8(at + (holds ? 2 : 3)) * 8;
    switch (program.readUInt16LE(at)) {
      case 0x20:
        accumulator = data.readUInt32LE(value);
        break;
      case 0x15:
        at += jump(accumulator === value);
        break;
      case 0x35:
        at += jump(accumulator >= value);
        break;
      case 0x45:
        at += jump((accumulator & value) !== 0);
        break;
      case 0x06:
        return verdict(value);
      default:
        throw new Error('an instruction that the kernel would refuse');
    }
  }
  throw new Error('the filter has no end');
}

function verdict(value: number): string {
  const names = new Map([
    [0x7fff0000, 'allow'],
    [0x80000000, 'kill'],
    [0x00050001, 'EPERM'],
    [0x00050026, 'ENOSYS'],
  ]);
  return names.get(value) ?? `unknown ${value.toString(16)}`;
}

describe.each([
  { architecture: 'x64', index: 1, openat: 257, execve: 59, clone: 56 },
  { architecture: 'arm64', index: 2, openat: 56, execve: 221, clone: 220 },
] as const)('the filter for $architecture', ({ architecture, index, openat, execve, clone }) => {
  const machine = machineOf(architecture) as Machine;
  const filter = buildSeccompFilter(machine);
  const on = (number: number, firstArgument = 0): string =>
    runFilter(filter, { audit: machine.audit, number, firstArgument });

  test('refuses exactly the calls of the list, over all numbers there are', () => {
    const denied = new Set(deniedCalls.flatMap((call) => call[index] ?? []));
    expect(denied.size).toBeGreaterThan(60);
    for (let number = 0; number < 1024; number++) {
      if (number === 435) expect(on(number)).toBe('ENOSYS');
      else expect([number, on(number)]).toEqual([number, denied.has(number) ? 'EPERM' : 'allow']);
    }
    expect([on(openat), on(execve)]).toEqual(['allow', 'allow']);
  });

  test('lets a program start threads and children, not namespaces', () => {
    const thread = 0x003d0f00;
    expect(on(clone, thread)).toBe('allow');
    expect(on(clone, 17)).toBe('allow');
    for (const flag of [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
      expect(on(clone, thread | flag)).toBe('EPERM');
  });

  test('kills a call of another architecture', () => {
    expect(runFilter(filter, { audit: 0x40000003, number: openat })).toBe('kill');
    expect(runFilter(filter, { audit: 0, number: openat })).toBe('kill');
  });
});

test('x32 calls, which have other numbers on the same architecture, are killed', () => {
  const machine = machineOf('x64') as Machine;
  const filter = buildSeccompFilter(machine);
  for (const number of [0x40000000, 0x40000000 + 41, 0x40000000 + 520, 0xffffffff])
    expect(runFilter(filter, { audit: machine.audit, number })).toBe('kill');
});

test('there is no filter for a machine that the list does not know', () => {
  expect(machineOf('riscv64')).toBeUndefined();
  expect(machineOf('constructor')).toBeUndefined();
});
