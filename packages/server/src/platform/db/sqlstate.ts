/** What PostgreSQL says went wrong, by its SQLSTATE codes. Whoever goes by one names it here. */
import { Fault } from '@millpond/protocol';

export const sqlState = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  deadlock: '40P01',
  /** Larger than the database can hold: it will be so the next time, too. */
  programLimitExceeded: '54000',
  lockNotAvailable: '55P03',
} as const;

/** The database's own error, in a fault of ours or as it came. */
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

/** Data that its type does not have. */
export function isRefusedValue(error: unknown): boolean {
  return /^22/.test(databaseErrorOf(error).code ?? '');
}

/** Whether the connection itself is gone: the driver's own error, or the server is going away. */
export function isConnectionLost(error: unknown): boolean {
  return !/^(?!08|57P)[0-9A-Z]{5}$/.test(databaseErrorOf(error).code ?? '');
}

/** What a single key can cause (a text with a NUL, a damaged page), and says nothing about the database. */
export function isFaultOfAKey(error: unknown): boolean {
  return /^(22|XX)/.test(databaseErrorOf(error).code ?? '');
}

/** What a single change can cause (a refused value, a broken rule, a deadlock): others sent with it may yet be written. */
export function isFaultOfAChange(error: unknown): boolean {
  return isSqlState(error, 'deadlock') || /^2[23]/.test(databaseErrorOf(error).code ?? '');
}
