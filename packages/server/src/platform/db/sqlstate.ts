/** What PostgreSQL reports as wrong, by SQLSTATE code. Codes that our code relies on are named here. */
import { Fault } from '@millpond/protocol';

export const sqlState = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  deadlock: '40P01',
  /** Larger than the database can hold: a retry will not help. */
  programLimitExceeded: '54000',
  lockNotAvailable: '55P03',
  notConnected: '08001',
  /** A write on a standby, or where transactions are read-only by default: it had no effect. */
  readOnly: '25006',
} as const;

/** The database's own error, wrapped in a fault of ours or bare. */
export interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

export function databaseErrorOf(error: unknown): DatabaseError {
  return ((error instanceof Fault ? error.cause : error) as DatabaseError | undefined) ?? {};
}

export function isSqlState(error: unknown, state: keyof typeof sqlState): boolean {
  return databaseErrorOf(error).code === sqlState[state];
}

/** A value that its type cannot represent. */
export function isRefusedValue(error: unknown): boolean {
  return /^22/.test(databaseErrorOf(error).code ?? '');
}

/** Whether the connection is of no more use: the driver's own error, the server is shutting down, or it became a standby. */
export function isConnectionLost(error: unknown): boolean {
  return isSqlState(error, 'readOnly') || isSqlState(error, 'notConnected') || isOutcomeUnknown(error);
}

/** Whether the connection broke while a statement was under way: if that was a commit, it may have been carried out. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    !isSqlState(error, 'notConnected') && !/^(?!08|57P)[0-9A-Z]{5}$/.test(databaseErrorOf(error).code ?? '')
  );
}

/** There was no connection: nothing was sent. */
export class NotConnectedError extends Error {
  readonly code = sqlState.notConnected;
}

/** The server that was reached is not the one that takes writes. */
export class StandbyError extends Error {
  readonly code = sqlState.readOnly;
}

/**
 * Whether a connection that could not be made may be made a moment later: nobody listens, the server starts or stops, or it is
 * (still) a standby. Not if it refuses the password, the name or the certificate.
 */
export function isTransient(error: unknown): boolean {
  const { code } = databaseErrorOf(error);
  if (code === undefined) return !(error instanceof TypeError);
  return /^(ECONN\w+|E(HOST|NET)UNREACH|EHOSTDOWN|ETIMEDOUT|EPIPE|EAI_AGAIN|08\w{3}|57P\w{2}|25006)$/.test(
    code,
  );
}

/** Errors that a single key can cause (a text with a NUL, a damaged page) and that say nothing about the database. */
export function isFaultOfAKey(error: unknown): boolean {
  return /^(22|XX)/.test(databaseErrorOf(error).code ?? '');
}

/** Errors that a single change can cause (a refused value, a broken rule, a deadlock): others sent with it may still be written. */
export function isFaultOfAChange(error: unknown): boolean {
  return isSqlState(error, 'deadlock') || /^2[23]/.test(databaseErrorOf(error).code ?? '');
}
