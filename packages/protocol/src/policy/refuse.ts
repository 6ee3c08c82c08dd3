import { Fault } from '../errors/fault.ts';

/** A policy that is not one, or not whole. */
export function refuse(hint: string): Fault {
  return new Fault('invalidPolicy', { hint });
}
