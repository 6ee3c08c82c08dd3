/** Whether the signature of a callback covers a form body as it was sent, or its URL-safe Base64. */
export type SignedBody = 'raw' | 'base64url';

/**
 * The words on the wire that differ between installations, and the behaviour that goes with them. `svc` is the
 * published API; under `qiniu` Qiniu’s public SDKs run unchanged except for their hosts.
 */
export interface Dialect {
  readonly name: string;
  /** The word before a management credential. */
  readonly scheme: string;
  /** The word before a callback signature, and before an old management signature where those are accepted. */
  readonly callbackScheme: string;
  /** The interface signs the Base64; the verifiers of this family's SDKs expect the bytes. */
  readonly signedBody: SignedBody;
  /** Headers that begin with this are signed. Canonical spelling, hyphen at the end. */
  readonly headerPrefix: string;
  /** Path segments and form fields that begin with this are custom metadata. Lower case, hyphen at the end. */
  readonly metaPrefix: string;
  /** Whether signatures over path and form body alone are accepted, for object, upload and processing calls. */
  readonly oldSigning: boolean;
  /** Some clients write an explicit port twice into the Host line they sign. */
  readonly toleratesDoubledPort: boolean;
  /** Some clients sign a port that the Host they send lacks. */
  readonly toleratesMissingPort: boolean;
  /** Some clients sign the body for form and JSON only. */
  readonly toleratesUnsignedBody: boolean;
  /** Whether `/pfop` is served as `/pfop/` rather than redirected to it. */
  readonly submitWithoutSlash: boolean;
  /** Whether processing calls are accepted over plain HTTP. */
  readonly processingOverHttp: boolean;
  /** Some clients query the status of a task with a POST, with the id in a form. */
  readonly statusByPost: boolean;
  /** Whether an upload may start a task without saying who is told of its end. */
  readonly tasksWithoutNotice: boolean;
  /** Whether the answer to an upload without a template of its own repeats the custom variables. */
  readonly answersVariables: boolean;
  /** Whether calls are answered that only SDKs of this family make: older lists and queries, and calls at hosts of other roles. */
  readonly callsOfSdks: boolean;
  /** Whether response headers beyond those that every dialect knows may be set: the type, Last-Modified, and custom names. */
  readonly setsOtherHeaders: boolean;
  /** The fault for a date header that is malformed or too far off. */
  readonly badDateFault: 'badToken' | 'requestTimeTooSkewed';
}

/** The word before an upload token is the same in every dialect. */
export const UPLOAD_SCHEME = 'UpToken';

const svc: Dialect = {
  name: 'svc',
  scheme: 'Svc',
  callbackScheme: 'SvcCb',
  signedBody: 'base64url',
  headerPrefix: 'X-Svc-',
  metaPrefix: 'x-svc-meta-',
  oldSigning: false,
  toleratesDoubledPort: false,
  toleratesMissingPort: false,
  toleratesUnsignedBody: false,
  submitWithoutSlash: false,
  processingOverHttp: false,
  statusByPost: false,
  tasksWithoutNotice: false,
  answersVariables: false,
  callsOfSdks: false,
  setsOtherHeaders: false,
  badDateFault: 'badToken',
};

const qiniu: Dialect = {
  name: 'qiniu',
  scheme: 'Qiniu',
  callbackScheme: 'QBox',
  signedBody: 'raw',
  headerPrefix: 'X-Qiniu-',
  metaPrefix: 'x-qn-meta-',
  oldSigning: true,
  toleratesDoubledPort: true,
  toleratesMissingPort: true,
  toleratesUnsignedBody: true,
  submitWithoutSlash: true,
  processingOverHttp: true,
  statusByPost: true,
  tasksWithoutNotice: true,
  answersVariables: true,
  callsOfSdks: true,
  setsOtherHeaders: true,
  badDateFault: 'requestTimeTooSkewed',
};

export const dialects = { svc, qiniu } as const;

export function dateHeaderName(dialect: Dialect): string {
  return `${dialect.headerPrefix}Date`;
}

/**
 * Identifies the delivery of an event that we send. It is signed with the event, and we accept no call that has it:
 * otherwise a receiver could forward the signature to us under the Host that it was made for.
 */
export function deliveryHeaderName(dialect: Dialect): string {
  return `${dialect.headerPrefix}Delivery`;
}
