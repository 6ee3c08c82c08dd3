/** Requests to a presigned URL, without a client of S3. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { S3Fixture } from './fixtures.ts';

export interface FetchedResponse {
  readonly status: number;
  readonly body: Buffer;
}

export function fetchPresigned(
  url: string,
  { certificate }: S3Fixture,
  options: {
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<FetchedResponse> {
  const { method = 'GET', body = '', headers = {} } = options;
  const ca = certificate === undefined ? {} : { ca: readFileSync(certificate) };
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sending = open(
      url,
      { method, headers: { ...length, ...headers }, agent: false, ...ca },
      (answer) => {
        buffer(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject);
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}
