/** The one place where a failed command ends: one line on standard error, and an exit code. */
import { MillpondError } from '@millpond/client';
import { Fault, faultBody } from '@millpond/protocol';
import {
  codeOfStatus,
  ExitError,
  exitCodes,
  failureLine,
  isForPrograms,
  NotFoundError,
  UsageError,
} from './exit.ts';
import { messageWithHint } from './hints.ts';
import { escapeForTerminal } from './remote/text.ts';
import { WaitTimeoutError } from './remote/waiting.ts';

export interface Described {
  readonly text: string;
  readonly code: number;
}

export function reportAndExit(error: unknown): never {
  if (error instanceof ExitError) process.exit(error.code);
  const { text, code } = describe(error);
  process.stderr.write(`millpond: ${text}\n`);
  if (isForPrograms()) process.stdout.write(failureLine(factsOf(error)));
  process.exit(code);
}

/** The failure of another process of this command, which has described it. */
export class RelayedError extends Error {
  readonly described: Described;
  readonly facts: object;

  constructor(described: Described, facts: object) {
    super(described.text);
    this.described = described;
    this.facts = facts;
  }
}

/** What programs are told about an error. */
export function factsOf(error: unknown): object {
  if (error instanceof RelayedError) return error.facts;
  const facts = { status: error instanceof MillpondError ? error.status : 0, message: describe(error).text };
  if (error instanceof MillpondError) return { ...facts, code: error.code, reqid: error.reqid };
  return { ...facts, code: wordOf(error) };
}

function wordOf(error: unknown): string {
  if (error instanceof Fault) return error.fault;
  if (error instanceof UsageError) return 'usage';
  if (error instanceof NotFoundError) return 'notFound';
  if (error instanceof WaitTimeoutError) return 'timeout';
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
}

export function describe(error: unknown): Described {
  if (error instanceof RelayedError) return error.described;
  if (error instanceof MillpondError) return { text: errorText(error), code: codeOfError(error) };
  if (error instanceof Fault) return { text: faultText(error), code: codeOfFault(error) };
  if (error instanceof UsageError) return { text: error.message, code: exitCodes.usage };
  if (error instanceof NotFoundError) return { text: error.message, code: exitCodes.notFound };
  if (error instanceof WaitTimeoutError) return { text: error.message, code: exitCodes.temporary };
  if (isMissingFile(error)) return { text: error.message, code: exitCodes.notFound };
  return { text: error instanceof Error ? error.message : String(error), code: exitCodes.fatal };
}

function errorText(error: MillpondError): string {
  const { status, reqid } = error;
  const where = status === 0 ? '' : ` (${status}${reqid === '' ? '' : `, reqid ${reqid}`})`;
  return `${messageWithHint(error)}${where}`;
}

/** An error for something missing gets its name. */
export function prefixNotFound(name: string, error: unknown): unknown {
  if (!(error instanceof MillpondError) || codeOfError(error) !== exitCodes.notFound) return error;
  const { code, message, status, reqid, hint, body } = error;
  return new MillpondError(code, `${escapeForTerminal(name)}: ${message}`, {
    status,
    reqid,
    hint,
    body,
    cause: error,
  });
}

function codeOfError({ status, code }: MillpondError): number {
  if (status !== 0) return code === 'recordNotFound' ? exitCodes.notFound : codeOfStatus(status);
  if (code === 'cancelled') return exitCodes.interrupted;
  if (code === 'usage') return exitCodes.usage;
  if (code === 'fileExists') return exitCodes.conflict;
  return code === 'network' || code === 'timeout' ? exitCodes.temporary : exitCodes.fatal;
}

function faultText(fault: Fault): string {
  const { error, error_description: description, hint } = faultBody(fault);
  const cause = fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  return `${description ?? error}${hint === undefined ? '' : `: ${hint}`}${cause}`;
}

function codeOfFault({ fault, status }: Fault): number {
  return fault === 'recordNotFound' ? exitCodes.notFound : codeOfStatus(status);
}

function isMissingFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'syscall' in error;
}
