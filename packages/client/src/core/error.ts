/**
 * The one error of the client: the error that was answered, or why there was no answer. `code` is a short word of the
 * error tables (or one of the words below if there was no answer), `status` is 0 without an answer, `reqid` names the
 * request in the server's log.
 */
import { accountErrors, type FaultName, objectErrors } from '@millpond/protocol';

/** Errors that no server answers with; `unexpected` is an answer that is not ours. */
export type OwnCode = 'network' | 'tls' | 'timeout' | 'cancelled' | 'integrity' | 'usage' | 'unexpected';
export type ErrorCode = OwnCode | FaultName | 'callbackFailed';

/** The object is stored, but the receiver of the callback did not accept it. */
const CALLBACK_FAILED = 579;
/** Only the API uses statuses above this: nothing in between answers with them. */
const LAST_OF_HTTP = 599;
/** From a body that is not ours, so that people recognise who wrote it. */
const EXCERPT_CHARACTERS = 200;

export interface ErrorFacts {
  readonly status?: number;
  readonly reqid?: string | undefined;
  /** Further text from the server, for people. */
  readonly hint?: string | undefined;
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number | undefined;
  /** Whether the request can't have reached a server. */
  readonly unsent?: boolean;
  /** Whether a retry would fail in the same way. */
  readonly final?: boolean;
  /** The answer's JSON; after a failed callback, the JSON inside its error. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

export class MillpondError extends Error {
  override readonly name = 'MillpondError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly reqid: string;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly unsent: boolean;
  readonly final: boolean;
  readonly body: unknown;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.reqid = facts.reqid ?? '';
    this.hint = facts.hint;
    this.retryAfter = facts.retryAfter;
    this.unsent = facts.unsent ?? false;
    this.final = facts.final ?? false;
    this.body = facts.body;
  }
}

export interface ResponseFacts extends Pick<ErrorFacts, 'reqid' | 'retryAfter'> {
  /** A hint about what the server can't know; it takes precedence over the server's own hint. */
  readonly hintOf?: (code: ErrorCode) => string | undefined;
}

/** The error for an unsuccessful answer. */
export function responseToError(
  status: number,
  text: string,
  { hintOf, ...facts }: ResponseFacts = {},
): MillpondError {
  const answered = parsed(text);
  // The error of a failed callback is a string that contains JSON.
  const body =
    status === CALLBACK_FAILED ? (recordIn(parsed(recordOf(answered).error)) ?? answered) : answered;
  const record = recordOf(body);
  const word = (name: string) => (typeof record[name] === 'string' ? record[name] : undefined);
  const error = word('error');
  const code = codeOf(status, error);
  const excerpt = code === 'unexpected' && error === undefined ? excerptOf(text) : undefined;
  return new MillpondError(code, word('error_description') ?? error ?? `the server answered ${status}`, {
    status,
    body,
    hint: hintOf?.(code) ?? word('hint') ?? excerpt,
    ...facts,
  });
}

/** JSON was promised: something between us and the server answered in its place. */
export function notJson(
  status: number,
  text: string,
  facts: Pick<ErrorFacts, 'reqid' | 'cause'>,
): MillpondError {
  return new MillpondError('unexpected', 'the answer is not JSON', {
    status,
    hint: excerptOf(text),
    ...facts,
  });
}

/** Seconds, as our servers send them. */
export function parseRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

/** By status and text; by the status alone if only the API uses it, or if it has one meaning and the body is like ours. */
function codeOf(status: number, error: string | undefined): ErrorCode {
  if (status === CALLBACK_FAILED) return 'callbackFailed';
  const accountRows = namesOf(accountErrors, (row) => row.status === status && row.error === error);
  const rows = namesOf(objectErrors, (row) => row.status === status);
  const said = accountRows[0] ?? rows.find((name) => objectErrors[name].text === error);
  if (said !== undefined) return said;
  const isOurs = status > LAST_OF_HTTP || (error !== undefined && rows.length === 1);
  return (isOurs ? rows[0] : undefined) ?? 'unexpected';
}

function namesOf<Name extends string, Row>(
  table: Readonly<Record<Name, Row>>,
  fits: (row: Row) => boolean,
): Name[] {
  return (Object.keys(table) as Name[]).filter((name) => fits(table[name]));
}

function excerptOf(text: string): string | undefined {
  const words = text
    .slice(0, EXCERPT_CHARACTERS)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return words === '' ? undefined : words;
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
