/** Faults of the sandbox itself; what the sandboxed program does is a result, never a fault. */

export interface SandboxProblem {
  readonly problem: string;
  /** What an operator can do about it. */
  readonly remedy: string;
}

/** There is no sandbox on this machine. */
export class SandboxUnavailableError extends Error {
  override readonly name = 'SandboxUnavailableError';
  readonly problems: readonly SandboxProblem[];

  constructor(problems: readonly SandboxProblem[]) {
    super(`no sandbox: ${problems.map(({ problem, remedy }) => `${problem} (${remedy})`).join('; ')}`);
    this.problems = problems;
  }
}

/** The sandbox could not be set up for one run; the program was not started. */
export class SandboxSetupError extends Error {
  override readonly name = 'SandboxSetupError';
}
