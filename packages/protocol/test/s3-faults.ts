import type { S3ErrorCode } from '../src/s3/errors.ts';
import { S3Fault } from '../src/s3/fault.ts';

/** The fault that an action ends in; undefined when it succeeds. Any other error is the test's failure. */
export function s3FaultOf(action: () => unknown): S3Fault | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof S3Fault) return error;
    throw error;
  }
}

export function codeOf(action: () => unknown): S3ErrorCode | undefined {
  return s3FaultOf(action)?.code;
}
