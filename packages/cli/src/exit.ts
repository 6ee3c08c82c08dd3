/** Exit codes that mean something. */
export const exitCodes = {
  done: 0,
  partial: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  temporary: 5,
  conflict: 6,
  fatal: 7,
  interrupted: 130,
} as const;

/** The command's arguments are wrong in a way that its options alone can't tell. */
export class UsageError extends Error {}

/** Something named does not exist. */
export class NotFoundError extends Error {}

/** The command has said everything, and ends with this code. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

/** Whether a program reads the output: needed even before the options are validated. */
export function isForPrograms(argv: readonly string[] = process.argv): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** The final line for a program when a command as a whole failed. */
export function failureLine(error: object): string {
  return `${JSON.stringify({ status: 'failed', error })}\n`;
}

/** The exit code for an unsuccessful answer. */
export function codeOfStatus(status: number): number {
  // A success only by its status: something other than the server answered.
  if (status < 300) return exitCodes.fatal;
  if (status === 404 || status === 612 || status === 631) return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 409 || status === 412 || status === 613 || status === 614) return exitCodes.conflict;
  if (status === 408 || status === 417 || status === 478 || status === 573 || status === 579)
    return exitCodes.temporary;
  if (status >= 500 && status <= 599) return exitCodes.temporary;
  return exitCodes.usage;
}
