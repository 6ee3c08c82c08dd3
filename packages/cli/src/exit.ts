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

/** What the command was given is wrong, in a way that its options alone can't tell. */
export class UsageFault extends Error {}

/** What was named is not there. */
export class NotFound extends Error {}

/** The command has said all that there is to say, and ends so. */
export class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

/** Whether the output is read by a program: before options are known to be right, too. */
export function isForPrograms(argv: readonly string[] = process.argv): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** The last words for a program where a command as a whole failed. */
export function failureLine(error: object): string {
  return `${JSON.stringify({ status: 'failed', error })}\n`;
}

/** The code for an answer that is no success. */
export function codeOfStatus(status: number): number {
  // A success by its status alone: something else than the server answered.
  if (status < 300) return exitCodes.fatal;
  if (status === 404 || status === 612 || status === 631) return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 409 || status === 412 || status === 613 || status === 614) return exitCodes.conflict;
  if (status === 408 || status === 417 || status === 478 || status === 573 || status === 579)
    return exitCodes.temporary;
  if (status >= 500 && status <= 599) return exitCodes.temporary;
  return exitCodes.usage;
}
