/** Small bodies, read whole: the XML of configurations, completions and lists of keys. */
import { MAX_XML_BYTES, parseXml, S3Fault, type XmlElement } from '@millpond/protocol/s3';
import { tenantOf } from '../../identity/accounts/index.ts';
import { BodyChecks, type CheckOptions } from './objects/body-digests.ts';
import type { S3Request } from './s3.request.ts';

/** Verified against everything that the request says of it: signature, Content-MD5, checksum. */
export async function bodyOf(request: S3Request, options: CheckOptions = {}): Promise<Uint8Array> {
  const { context, payload } = request;
  if (payload.kind === 'chunked')
    throw new S3Fault('InvalidRequest', { hint: 'this operation takes no chunked body' });
  if (Number(context.header('content-length') ?? 0) > MAX_XML_BYTES)
    throw new S3Fault('MaxMessageLengthExceeded');
  await context.readBody();
  if (request.identity !== undefined) context.chargeBody(tenantOf(request.identity.key));
  const checks = new BodyChecks(request, options);
  checks.update(context.body);
  checks.finish();
  return context.body;
}

export async function xmlBodyOf(
  request: S3Request,
  root: string,
  options: CheckOptions = {},
): Promise<XmlElement> {
  return parseXml(await bodyOf(request, options), root);
}
