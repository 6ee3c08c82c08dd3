import { Fault } from '../errors/fault.ts';

/** The fault for a policy that is invalid or incomplete. */
export function invalidPolicy(hint: string): Fault {
  return new Fault('invalidPolicy', { hint });
}
