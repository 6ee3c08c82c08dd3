/** CORS: the rules of a bucket, what pages ask before their requests, and the headers that every answer to a page has. */
import { readCors, S3Fault, writeCors } from '@millpond/protocol/s3';
import type { HttpResponse, RequestContext } from '../../../platform/web/index.ts';
import {
  type Bucket,
  type Buckets,
  parseHeaderNames,
  type S3Settings,
  s3CorsHeaders,
} from '../../../storage/buckets/index.ts';
import { emptyOk, noContent } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation } from '../s3.operation.ts';
import type { S3Address } from '../s3.request.ts';
import { rawXmlResponse } from './raw-xml.ts';

export function corsOperations(settings: S3Settings): BucketOperation[] {
  const selected = { on: 'bucket', parameters: ['cors'], action: 'administer' } as const;
  return [
    {
      ...selected,
      name: 'GetBucketCors',
      method: 'GET',
      async handle(_, bucket) {
        const rules = await settings.cors(bucket);
        if (rules === undefined)
          throw new S3Fault('NoSuchCORSConfiguration', { details: { BucketName: bucket.name } });
        return rawXmlResponse(writeCors(rules));
      },
    },
    {
      ...selected,
      name: 'PutBucketCors',
      method: 'PUT',
      async handle(request, bucket) {
        await settings.setCors(bucket, readCors(await bodyOf(request)));
        return emptyOk();
      },
    },
    {
      ...selected,
      name: 'DeleteBucketCors',
      method: 'DELETE',
      async handle(_, bucket) {
        await settings.setCors(bucket, undefined);
        return noContent();
      },
    },
  ];
}

/** Set before anything can go wrong: a page can read why it was refused only if the refusal has them. */
export async function setCorsHeaders(
  buckets: Buckets,
  context: RequestContext,
  place: S3Address,
): Promise<void> {
  const origin = context.header('origin');
  if (origin === undefined || place.bucket === undefined) return;
  const rules = (await buckets.byName(place.bucket))?.ownCors ?? [];
  const headers = s3CorsHeaders(rules, { origin, method: context.request.method ?? '' });
  for (const [name, value] of Object.entries(headers ?? {})) context.response.setHeader(name, value);
}

/** What a page asks before its request; never signed. */
export async function preflightResponse(
  buckets: Buckets,
  context: RequestContext,
  place: S3Address,
): Promise<HttpResponse> {
  const [origin, method] = [context.header('origin'), context.header('access-control-request-method')];
  if (origin === undefined || method === undefined)
    throw new S3Fault('BadRequest', {
      message: `Insufficient information. ${origin === undefined ? 'Origin request' : 'Access-Control-Request-Method'} header needed.`,
    });
  const bucket: Bucket | undefined =
    place.bucket === undefined ? undefined : await buckets.byName(place.bucket);
  if (bucket === undefined)
    throw new S3Fault('NoSuchBucket', { details: { BucketName: place.bucket ?? '' } });
  if (bucket.ownCors === undefined)
    throw new S3Fault('AccessForbidden', { message: 'CORSResponse: CORS is not enabled for this bucket.' });
  const asked = parseHeaderNames(context.header('access-control-request-headers'));
  const headers = s3CorsHeaders(bucket.ownCors, { origin, method, headers: asked });
  if (headers === undefined) throw new S3Fault('AccessForbidden');
  return emptyOk(headers);
}
