/** Helpers for the routes of every feature. */

export { clientNetwork } from '@millpond/base';
export { BodyPaceMonitor } from './body-pace.ts';
export { type BodyLimits, bodyLimits } from './buffered-body.ts';
export {
  emptyResponse,
  type HttpResponse,
  jsonResponse,
  RequestContext,
  type RoutedRequest,
} from './call.ts';
export { type ProxyTrust, peerOf, proxyTrust } from './peer.ts';
export { hasUnreadBytes, readBody } from './read-body.ts';
export { RequestTimes } from './request-times.ts';
export { BY_BUCKET_HOST, CONSOLE_PREFIX, DOMAIN_PREFIX, type Route, S3_PREFIX } from './route.ts';
export {
  faultResponse,
  inPlainText,
  REQUEST_ID_HEADER,
  sendResponse,
  sendWithoutEnd,
  toFault,
  waitForDrain,
} from './send.ts';
export type { AccessKey, CallSession } from './session.ts';
export { timeOf, unixSeconds } from './times.ts';
export { untrustedContentHeaders } from './untrusted-content.ts';
export { openToOrigins, preflightResponse } from './web.cors.ts';
export { formFields, jsonBody, optionalField, queryFields, requiredField } from './web.fields.ts';
export { segmentsOf, type Target } from './web.target.ts';
