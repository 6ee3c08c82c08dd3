/** What namespaces and streams name, and what is said where it has gone while they were written. */
import { Fault } from '@millpond/protocol';
import { refused } from '../fields.ts';

/** By the constraint that the row would have broken. */
export function goneFault(constraint: string): Fault {
  return constraint.includes('template')
    ? refused('a template that it names is not there any more')
    : new Fault('noSuchNamespace');
}
