/** What pages of other origins may do with a bucket's objects: by the bucket's rules, on every answer, including refusals. */
import { Fault } from '@millpond/protocol';
import { type HttpResponse, REQUEST_ID_HEADER, type RequestContext } from '../../platform/web/index.ts';
import { type Bucket, corsHeaders, parseHeaderNames, variesByOrigin } from '../../storage/buckets/index.ts';

/** Exposed in addition to any rule. A page that can't see the coding takes what its browser decoded for different bytes. */
const ALWAYS_EXPOSED = [REQUEST_ID_HEADER, 'content-encoding'];

/** Sets the headers on the response itself, so that every kind of answer carries them. */
export function applyCors(context: RequestContext, bucket: Bucket): void {
  if (variesByOrigin(bucket.cors)) context.response.setHeader('vary', 'Origin');
  const origin = context.header('origin');
  if (origin === undefined) return;
  const asked = { origin, method: context.request.method ?? 'GET' };
  const headers = corsHeaders(bucket.cors, asked, ALWAYS_EXPOSED);
  for (const [name, value] of Object.entries(headers ?? {})) context.response.setHeader(name, value);
}

/** Answers what a browser asks before it sends a request that a plain link could not have sent. */
export function answerPreflight(context: RequestContext, bucket: Bucket): HttpResponse {
  const origin = context.header('origin');
  const method = context.header('access-control-request-method');
  if (origin === undefined || method === undefined)
    throw new Fault('invalidArgument', {
      hint: 'a preflight must have Origin and Access-Control-Request-Method',
    });
  if (variesByOrigin(bucket.cors)) context.response.setHeader('vary', 'Origin');
  const asked = {
    origin,
    method,
    headers: parseHeaderNames(context.header('access-control-request-headers')),
  };
  const headers = corsHeaders(bucket.cors, asked, ALWAYS_EXPOSED);
  if (headers === undefined)
    throw new Fault('notAllowed', { hint: 'no CORS rule of the bucket allows this' });
  return { status: 200, headers, body: '' };
}
