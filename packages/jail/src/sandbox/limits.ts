/** The limits of one sandboxed program, and how its run ended. */
import { GIB, MIB } from '@millpond/protocol';

export interface JobLimits {
  /** Wall-clock time; Infinity for a process that serves many requests and has a deadline for each. */
  readonly wallMs: number;
  /** Processor time of each process. */
  readonly cpuSeconds?: number;
  /** Memory in use by all its processes together. */
  readonly memoryBytes: number;
  /** Processes and threads together. */
  readonly processes: number;
  /** For one file; and for the whole job directory. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** More on standard output ends the run. */
  readonly stdoutBytes: number;
  /** How much of the end of standard error is kept. */
  readonly stderrBytes: number;
}

/** For a quick inspection of a file. Anything that encodes needs other limits. */
export const probeLimits: JobLimits = {
  wallMs: 5000,
  cpuSeconds: 5,
  memoryBytes: 512 * MIB,
  processes: 64,
  fileBytes: MIB,
  totalBytes: 128 * MIB,
  files: 16,
  stdoutBytes: MIB,
  stderrBytes: 8192,
};

/**
 * - exited: by itself, with a code
 * - killed: by a signal that was not ours (processor time used up, a crash, the machine out of memory)
 * - timeout, memory, output, disk: we ended it at that limit; disk is bytes or number of files in the job directory
 * - aborted: by the caller's signal, or because the sandbox was closed
 */
export type RunOutcome = 'exited' | 'killed' | 'timeout' | 'memory' | 'output' | 'disk' | 'aborted';
/** Why we end a run. */
export type KillReason = Exclude<RunOutcome, 'exited' | 'killed'>;

/** Mappings that are reserved but never touched (thread stacks, V8's heap) count for the kernel, not for us. */
const RESERVED_BYTES = GIB;

/** The limits that the kernel enforces for each process, as arguments of prlimit. */
export function kernelLimits(limits: JobLimits): string[] {
  const cpu = limits.cpuSeconds === undefined ? [] : [`--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`];
  return [
    ...cpu,
    `--data=${limits.memoryBytes + RESERVED_BYTES}`,
    `--nproc=${limits.processes}`,
    `--fsize=${limits.fileBytes}`,
    '--nofile=256',
    '--memlock=65536',
    '--core=0',
  ];
}
