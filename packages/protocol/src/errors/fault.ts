import { accountErrors } from './accounts.ts';
import { objectErrors } from './objects.ts';

export type ObjectErrorName = keyof typeof objectErrors;
export type AccountErrorName = keyof typeof accountErrors;
export type FaultName = ObjectErrorName | AccountErrorName;

export interface FaultOptions {
  /** For the caller, next to the public text: what was wrong and what to do. Never a secret. */
  readonly hint?: string;
  /** For the log only. */
  readonly detail?: string;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

/**
 * The one error class of the system: every refusal names a row of the tables next to this file. The caller sees that
 * row (and the hint, if there is one); `detail` and `cause` stay in the log.
 */
export class Fault extends Error {
  readonly fault: FaultName;
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(fault: FaultName, options: FaultOptions = {}) {
    super(
      options.detail ?? options.hint ?? fault,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'Fault';
    this.fault = fault;
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return isAccountError(this.fault) ? accountErrors[this.fault].status : objectErrors[this.fault].status;
  }
}

export function isAccountError(name: FaultName): name is AccountErrorName {
  return Object.hasOwn(accountErrors, name);
}

/** The JSON body of a fault, exactly as it goes on the wire. */
export function faultBody(fault: Fault): Record<string, string | number> {
  if (isAccountError(fault.fault)) {
    const row = accountErrors[fault.fault];
    return {
      error: row.error,
      error_code: row.code,
      error_description: fault.hint === undefined ? row.text : `${row.text}: ${fault.hint}`,
    };
  }
  const error = objectErrors[fault.fault].text;
  // Clients compare the API's texts verbatim, so the hint is a separate field.
  return fault.hint === undefined ? { error } : { error, hint: fault.hint };
}

/** One-line error text for batch results. */
export function faultWords(fault: Fault): string {
  const { error, hint, error_description: description } = faultBody(fault);
  return hint === undefined ? String(description ?? error) : `${error}: ${hint}`;
}
