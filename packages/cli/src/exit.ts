/** Exit codes that mean something, and the one place where a failed command ends. */
import { Fault, faultBody } from '@millpond/protocol';
import { ConfigFault } from '@millpond/server';

export const exitCodes = {
  done: 0,
  partial: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  temporary: 5,
  conflict: 6,
  fatal: 7,
} as const;

/** What the command was given is wrong, in a way that its options alone can't tell. */
export class UsageFault extends Error {}

export function reportAndExit(error: unknown): never {
  const { text, code } = describe(error);
  process.stderr.write(`millpond: ${text}\n`);
  process.exit(code);
}

function describe(error: unknown): { text: string; code: number } {
  if (error instanceof ConfigFault) return { text: error.message, code: exitCodes.fatal };
  if (error instanceof Fault) return { text: faultText(error), code: codeOf(error) };
  if (error instanceof UsageFault) return { text: error.message, code: exitCodes.usage };
  return { text: error instanceof Error ? error.message : String(error), code: exitCodes.fatal };
}

function faultText(fault: Fault): string {
  const { error, error_description: description, hint } = faultBody(fault);
  const cause = fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  return `${description ?? error}${hint === undefined ? '' : `: ${hint}`}${cause}`;
}

function codeOf({ fault, status }: Fault): number {
  if (fault === 'recordNotFound' || status === 404 || status === 612 || status === 631)
    return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 409 || status === 613 || status === 614) return exitCodes.conflict;
  if (status === 417 || status === 573 || status >= 599) return exitCodes.temporary;
  return exitCodes.usage;
}
