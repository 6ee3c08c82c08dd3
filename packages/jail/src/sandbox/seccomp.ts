/**
 * The kernel's filter for a sandboxed program, as classic BPF, generated here from syscalls.ts: no compiler is needed. Denied
 * calls fail with EPERM; a call of another architecture kills; clone3 does not exist (its flags lie in memory that a filter
 * cannot read; C libraries then use clone), and clone may not create namespaces.
 */
import type { Machine } from './syscalls.ts';

// struct seccomp_data: number, architecture, instruction pointer, six arguments of 64 bits, little-endian.
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT_LOW = 16;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const CLONE_NEW_ANYTHING = 0x7e020000;

const ends = { allow: ALLOW, deny: FAIL | EPERM, absent: FAIL | ENOSYS, kill: KILL_PROCESS } as const;
type End = keyof typeof ends;

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** The target of a jump; the next instruction if absent. */
  readonly yes?: End;
  readonly no?: End;
}

export function buildSeccompFilter(machine: Machine): Uint8Array {
  const foreign: Instruction[] =
    machine.foreignFrom === undefined
      ? []
      : [{ code: JUMP_IF_AT_LEAST, value: machine.foreignFrom, yes: 'kill' }];
  return assemble([
    { code: LOAD_WORD, value: ARCHITECTURE },
    { code: JUMP_IF_EQUAL, value: machine.audit, no: 'kill' },
    { code: LOAD_WORD, value: CALL_NUMBER },
    ...foreign,
    ...machine.denied.map((number): Instruction => ({ code: JUMP_IF_EQUAL, value: number, yes: 'deny' })),
    { code: JUMP_IF_EQUAL, value: machine.clone3, yes: 'absent' },
    { code: JUMP_IF_EQUAL, value: machine.clone, no: 'allow' },
    { code: LOAD_WORD, value: FIRST_ARGUMENT_LOW },
    { code: JUMP_IF_ANY_BIT, value: CLONE_NEW_ANYTHING, yes: 'deny', no: 'allow' },
  ]);
}

function assemble(body: readonly Instruction[]): Uint8Array {
  const names = Object.keys(ends) as End[];
  const filter = Buffer.alloc((body.length + names.length) * 8);
  const put = (index: number, code: number, yes: number, no: number, value: number): void => {
    filter.writeUInt16LE(code, index * 8);
    // A jump reaches 255 instructions; writeUInt8 throws when the list has grown past that.
    filter.writeUInt8(yes, index * 8 + 2);
    filter.writeUInt8(no, index * 8 + 3);
    filter.writeUInt32LE(value >>> 0, index * 8 + 4);
  };
  for (const [index, { code, value, yes, no }] of body.entries()) {
    const distance = (end: End | undefined): number =>
      end === undefined ? 0 : body.length + names.indexOf(end) - index - 1;
    put(index, code, distance(yes), distance(no), value);
  }
  for (const [index, name] of names.entries()) put(body.length + index, RETURN, 0, 0, ends[name]);
  return filter;
}
