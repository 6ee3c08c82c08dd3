/**
 * The one error of the client: what was answered, or why nothing was. `code` is a short word of the error tables (or one of
 * the words below where there was no answer), `status` is 0 without an answer, `reqid` names the request in the server's log.
 */
import { accountErrors, objectErrors } from '@millpond/protocol';

/** Errors that no server answers with. */
export type OwnCode = 'network' | 'timeout' | 'cancelled' | 'integrity' | 'usage' | 'unexpected';

/** The object is stored, and the receiver of the callback did not take it. */
const CALLBACK_FAILED = 579;

export interface ErrorFacts {
  readonly status?: number;
  readonly reqid?: string | undefined;
  /** The server's further words, for people. */
  readonly hint?: string | undefined;
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number | undefined;
  /** Whether the request can't have reached a server. */
  readonly unsent?: boolean;
  /** The answer's JSON; after a callback that failed, the JSON that its error holds. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

export class MillpondError extends Error {
  override readonly name = 'MillpondError';
  readonly status: number;
  readonly code: string;
  readonly reqid: string;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly unsent: boolean;
  readonly body: unknown;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.reqid = facts.reqid ?? '';
    this.hint = facts.hint;
    this.retryAfter = facts.retryAfter;
    this.unsent = facts.unsent ?? false;
    this.body = facts.body;
  }
}

/** The error that an answer other than success stands for. */
export function errorOfAnswer(
  status: number,
  text: string,
  facts: { reqid?: string | undefined; retryAfter?: number | undefined },
): MillpondError {
  const answered = parsed(text);
  // A callback's failure is told by a string that holds JSON.
  const body =
    status === CALLBACK_FAILED ? (recordIn(parsed(recordOf(answered).error)) ?? answered) : answered;
  const record = recordOf(body);
  const word = (name: string) => (typeof record[name] === 'string' ? record[name] : undefined);
  const error = word('error');
  const message = word('error_description') ?? error ?? `the server answered ${status}`;
  return new MillpondError(codeOf(status, error), message, {
    status,
    body,
    hint: word('hint'),
    ...facts,
  });
}

/** Seconds, as our servers send them. */
export function parseRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

function codeOf(status: number, error: string | undefined): string {
  if (status === CALLBACK_FAILED) return 'callbackFailed';
  for (const [name, row] of Object.entries(accountErrors)) if (row.error === error) return name;
  const rows = Object.entries(objectErrors).filter(([, row]) => row.status === status);
  const found = rows.find(([, row]) => row.text === error) ?? rows[0];
  return found?.[0] ?? 'unexpected';
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function recordIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return recordIn(value) ?? {};
}
