/** Which failures of a recording or snapshot are final, and in which words they are told. */
import { Fault, faultBody } from '@millpond/protocol';
import { ProcessingFailed } from '../../platform/media/index.ts';

export const NO_ENGINE = 'the engine is no longer configured';

/** Undefined: neither its own fault nor its template's; it is tried again. */
export function failureOf(error: unknown): string | undefined {
  if (error instanceof ProcessingFailed)
    return error.reason === 'source' || error.reason === 'limit' ? error.message : undefined;
  return error instanceof Fault && error.fault !== 'serverFailure'
    ? String(faultBody(error).error)
    : undefined;
}
