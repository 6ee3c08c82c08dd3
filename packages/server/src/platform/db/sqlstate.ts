/** What PostgreSQL reports as wrong, by SQLSTATE code. Codes that our code relies on are named here. */
import { Fault } from '@millpond/protocol';

export const sqlState = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  deadlock: '40P01',
  /** Larger than the database can hold: a retry will not help. */
  programLimitExceeded: '54000',
  lockNotAvailable: '55P03',
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

/** Whether the connection itself is gone: the driver's own error, or the server is shutting down. */
export function isConnectionLost(error: unknown): boolean {
  return !/^(?!08|57P)[0-9A-Z]{5}$/.test(databaseErrorOf(error).code ?? '');
}

/** Errors that a single key can cause (a text with a NUL, a damaged page) and that say nothing about the database. */
export function isFaultOfAKey(error: unknown): boolean {
  return /^(22|XX)/.test(databaseErrorOf(error).code ?? '');
}

/** Errors that a single change can cause (a refused value, a broken rule, a deadlock): others sent with it may still be written. */
export function isFaultOfAChange(error: unknown): boolean {
  return isSqlState(error, 'deadlock') || /^2[23]/.test(databaseErrorOf(error).code ?? '');
}
