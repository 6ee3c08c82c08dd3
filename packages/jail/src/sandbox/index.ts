/** The sandbox: see sandbox.ts. */
export { type JobFolders, jobFolders, type Sandbox } from './assemble.ts';
export type { FileMount, Mount, SandboxUser, Tools } from './command-line.ts';
export { type SandboxProblem, SandboxSetupError, SandboxUnavailableError } from './faults.ts';
export { openJobDirectories } from './job-directories.ts';
export { type JobLimits, probeLimits, type RunOutcome } from './limits.ts';
export { nodeMount, PROGRAM_EXTENSION, packageMount } from './node.ts';
export type { RunOptions, RunResult } from './run.ts';
export { openSandbox, type SandboxOptions } from './sandbox.ts';
export type { ProcessExit, SandboxedProcess, StartOptions } from './supervise.ts';
export { openUnconfined } from './unconfined.ts';
export type { UnconfinedPermit } from './unconfined-permit.ts';
