/** What went wrong, in S3's words: our own services refuse with faults of our interface. */
import type { IncomingMessage } from 'node:http';
import { Fault, type FaultName } from '@millpond/protocol';
import { errorXml, type S3ErrorCode, S3Fault } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../platform/web/index.ts';
import { requestIdHeaders } from './s3.answers.ts';

/** A fault that is not here is a failure of ours: no operation should cause it. */
const CODES: Partial<Record<FaultName, S3ErrorCode>> = {
  invalidArgument: 'InvalidArgument',
  invalidForm: 'MalformedPOSTRequest',
  keyNotUtf8: 'InvalidURI',
  invalidBucketName: 'InvalidBucketName',
  incorrectRegion: 'PermanentRedirect',
  archiveUnrestored: 'InvalidObjectState',
  deepArchiveUnrestored: 'InvalidObjectState',
  notArchive: 'InvalidObjectState',
  objectDisabled: 'AccessDenied',
  notAllowed: 'AccessDenied',
  keyLimited: 'AccessDenied',
  bucketNotEmpty: 'BucketNotEmpty',
  quotaExceeded: 'QuotaExceeded',
  notFound: 'NoSuchKey',
  methodNotAllowed: 'MethodNotAllowed',
  requestTimeout: 'RequestTimeout',
  preconditionFailed: 'PreconditionFailed',
  tooLarge: 'EntityTooLarge',
  tooManyRequests: 'SlowDown',
  // The origin of a mirrored bucket failed: a moment later it may answer.
  originFailed: 'ServiceUnavailable',
  noSuchEntry: 'NoSuchKey',
  noSuchUpload: 'NoSuchUpload',
  fileExists: 'PreconditionFailed',
  bucketTaken: 'BucketAlreadyExists',
  bucketExists: 'BucketAlreadyOwnedByYou',
  tooManyBuckets: 'TooManyBuckets',
  noSuchBucket: 'NoSuchBucket',
};

export function toS3Fault(error: unknown): S3Fault {
  if (error instanceof S3Fault) return error;
  if (!(error instanceof Fault)) return new S3Fault('InternalError', { cause: error });
  const code = CODES[error.fault];
  if (code !== undefined) return new S3Fault(code, { hint: error.hint, cause: error });
  return new S3Fault('InternalError', { cause: error });
}

export function refusalOf(error: unknown, request: IncomingMessage, reqid: string): HttpResponse {
  const fault = toS3Fault(error);
  const [resource = '/'] = (request.url ?? '/').split('?', 1);
  return {
    status: fault.status,
    headers: { 'content-type': 'application/xml', ...requestIdHeaders(reqid), ...fault.headers },
    body: request.method === 'HEAD' ? '' : errorXml(fault, { resource, requestId: reqid }),
    why: `${fault.code}: ${fault.message}`,
  };
}
