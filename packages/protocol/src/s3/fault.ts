/** Refusals of the S3 listener, and the XML that tells them. */
import { type S3ErrorCode, s3Errors } from './errors.ts';
import { writeXml } from './xml/write.ts';

export interface S3FaultOptions {
  /** Instead of the catalogue's text, where AWS has a more exact one. */
  readonly message?: string | undefined;
  /** What to do, appended to the message. Never a secret. */
  readonly hint?: string | undefined;
  /** Further elements of the answer, in this order. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Every refusal names a row of errors.ts. All but `cause` reaches the caller. */
export class S3Fault extends Error {
  readonly code: S3ErrorCode;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3ErrorCode, options: S3FaultOptions = {}) {
    const { message = s3Errors[code].message, hint, details = {}, headers = {}, cause } = options;
    super(
      hint === undefined ? message : `${message.replace(/\.$/, '')}: ${hint}`,
      cause === undefined ? {} : { cause },
    );
    this.name = 'S3Fault';
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return s3Errors[this.code].status;
  }
}

export interface ErrorLocation {
  /** The path of the request, as it was sent. */
  readonly resource: string;
  /** The same text as in the header `x-amz-request-id`. */
  readonly requestId: string;
}

/** The body of a refusal; answers to HEAD have none. */
export function errorXml(fault: S3Fault, { resource, requestId }: ErrorLocation): string {
  return writeXml(
    'Error',
    {
      Code: fault.code,
      Message: fault.message,
      ...fault.details,
      Resource: resource,
      RequestId: requestId,
      HostId: requestId,
    },
    { namespace: false },
  );
}
