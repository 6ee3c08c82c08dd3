/** The sandbox: see sandbox.ts. */
export type { Mount, SandboxUser, Tools } from './command-line.ts';
export { SandboxBroken, type SandboxProblem, SandboxUnavailable } from './faults.ts';
export { type JobLimits, probeLimits, type RunOutcome } from './limits.ts';
export { nodeMounts, PROGRAM_EXTENSION, SANDBOXED_NODE } from './node.ts';
export type { Ended, SandboxedProcess, StartOptions } from './process.ts';
export type { RunOptions, RunResult } from './run.ts';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
