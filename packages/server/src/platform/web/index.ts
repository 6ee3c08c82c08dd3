/** Helpers for the routes of every feature. */

export { networkOf } from '@millpond/base';
export { ArrivingBodies } from './arriving-bodies.ts';
export { type Answer, Call, emptyAnswer, jsonAnswer, type RoutedRequest } from './call.ts';
export { awaitsContinue, deferContinue } from './continuing.ts';
export { foreignContentHeaders } from './foreign-content.ts';
export { type BodyLimits, bodyLimits } from './held-body.ts';
export { type ProxyTrust, peerOf, proxyTrust } from './peer.ts';
export { isHeldUp, readBody } from './read-body.ts';
export { RequestTimes } from './request-times.ts';
export { BY_BUCKET_HOST, BY_CONSOLE, BY_DOMAIN, BY_S3, type Route } from './route.ts';
export {
  drained,
  faultAnswer,
  inPlainText,
  REQUEST_ID_HEADER,
  sendAnswer,
  sendBeforeEnd,
  toFault,
} from './send.ts';
export type { AccessKey, CallSession } from './session.ts';
export { timeOf, unixSeconds } from './unix-seconds.ts';
export { openToOrigins, preflightAnswer } from './web.cors.ts';
export { formFields, givenField, jsonBody, neededField, queryFields } from './web.fields.ts';
export { segmentsOf, sentTarget, type Target } from './web.target.ts';
