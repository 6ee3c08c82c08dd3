/** The jail: see sandbox.ts. */
export { SandboxBroken, type SandboxProblem, SandboxUnavailable } from './faults.ts';
export type { JailUser, Mount, Tools } from './jail.ts';
export { type JobLimits, probeLimits, type RunOutcome } from './limits.ts';
export { JAILED_NODE, nodeMounts, PROGRAM_EXTENSION } from './node.ts';
export type { JailedProcess, StartOptions } from './process.ts';
export type { RunOptions, RunResult } from './run.ts';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
