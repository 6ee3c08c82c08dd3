/** What the protocol refuses before anything is sent is wrong usage, reported like every other error of the client. */
import { Fault, faultBody } from '@millpond/protocol';
import { MillpondError } from './error.ts';

export function asUsageError<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { error: text, error_description: words, hint = error.message } = faultBody(error);
    const said = String(words ?? text);
    throw new MillpondError('usage', hint === error.fault ? said : `${said}: ${hint}`, { cause: error });
  }
}
