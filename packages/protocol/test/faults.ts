import { Fault, type FaultName } from '../src/errors/fault.ts';

/** The name of the fault that an action ends in; undefined when it succeeds. Any other error is the test's failure. */
export function faultOf(action: () => unknown): FaultName | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}
