/** Which failures of a recording or snapshot are final, and how they are worded. */
import { ProcessingError } from '@millpond/jail';
import { Fault, faultBody } from '@millpond/protocol';

export const NO_ENGINE = 'the engine is no longer configured';

/** Undefined: the fault of neither the file nor its template, so it is retried. */
export function permanentFailureMessage(error: unknown): string | undefined {
  if (error instanceof ProcessingError)
    return error.reason === 'source' || error.reason === 'limit' ? error.message : undefined;
  return error instanceof Fault && error.fault !== 'serverFailure'
    ? String(faultBody(error).error)
    : undefined;
}
