/** Calls that are for operators only, and what they see in calls that are for everybody. */
import { CONSOLE_ACCOUNT_HEADER, Fault } from '@millpond/protocol';
import type { CallSession, RequestContext } from '../../platform/web/index.ts';

/** The session of the console that makes the call; refused if it is not an operator's, or if there is none. */
export function operatorOf({ session }: RequestContext): CallSession {
  if (session?.isOperator !== true)
    throw new Fault('permissionDenied', {
      hint: 'this call is for operators who have signed in to the console: `millpond account operator` makes an account one',
    });
  return session;
}

/** Whether the call is made for all accounts: by an operator who names none. */
export function isAllAccountsCall(context: RequestContext): boolean {
  return context.session?.isOperator === true && context.header(CONSOLE_ACCOUNT_HEADER) === undefined;
}
