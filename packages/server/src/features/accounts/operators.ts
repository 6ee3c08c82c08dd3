/** Calls that are for operators only. */
import { Fault } from '@millpond/protocol';
import type { Call, CallSession } from '../../platform/web/index.ts';

/** The session of the console that makes the call; refused if it is not an operator's, or if there is none. */
export function operatorOf({ session }: Call): CallSession {
  if (session?.isOperator !== true)
    throw new Fault('permissionDenied', {
      hint: 'this call is for operators who have signed in to the console: MILLPOND_CONSOLE_OPERATORS names them',
    });
  return session;
}
