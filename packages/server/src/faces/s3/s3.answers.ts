/** Answers of the S3 listener. Every one has the request's id in AWS's two headers. */
import { writeXml, type XmlContent } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../platform/web/index.ts';

/** In addition to our own `x-reqid`, which every answer has. */
export function requestIdHeaders(reqid: string): Record<string, string> {
  return { 'x-amz-request-id': reqid, 'x-amz-id-2': reqid };
}

export function xmlResponse(
  root: string,
  content: XmlContent,
  headers: Record<string, string> = {},
): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body: writeXml(root, content),
  };
}

/** 200 without a body. */
export function emptyOk(headers: Record<string, string> = {}): HttpResponse {
  return { status: 200, headers, body: '' };
}

/** 204. */
export function noContent(headers: Record<string, string> = {}): HttpResponse {
  return { status: 204, headers, body: '' };
}
