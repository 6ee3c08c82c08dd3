/** Version 4 in the Authorization header. */
import { parseHttpDate } from '../../http/date.ts';
import { S3Fault } from '../fault.ts';
import { V4_ALGORITHM } from './canonical.ts';
import { formatBasicDate, parseBasicDate } from './dates.ts';
import type { RequestHead } from './head.ts';
import { type Payload, readPayload } from './payload.ts';
import { type Credential, parseCredential } from './scope.ts';

export interface HeaderCredentials extends Credential {
  readonly kind: 'header';
  readonly head: RequestHead;
  readonly payload: Payload;
  /** As in `x-amz-date`, also if the time came as `Date`. */
  readonly date: string;
  readonly time: number;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly payloadHash: string;
}

export function readHeaderForm(head: RequestHead, authorization: string): HeaderCredentials {
  const parts = partsOf(authorization.slice(V4_ALGORITHM.length));
  const credential = parseCredential(required(parts, 'Credential'), malformed);
  const signedHeaders = checkNames(required(parts, 'SignedHeaders'), malformed);
  const signature = required(parts, 'Signature');
  const time = timeOf(head);
  const date = formatBasicDate(time);
  if (date.slice(0, 8) !== credential.day)
    throw malformed(
      `Invalid credential date "${credential.day}". This date is not the same as X-Amz-Date: "${date.slice(0, 8)}".`,
    );
  const payloadHash = head.headers.get('x-amz-content-sha256');
  if (payloadHash === undefined)
    throw new S3Fault('InvalidRequest', {
      message: 'Missing required header for this request: x-amz-content-sha256',
    });
  const payload = readPayload(payloadHash, { chain: true });
  return { kind: 'header', head, payload, ...credential, date, time, signedHeaders, signature, payloadHash };
}

/** The three parts in any order, with a comma between them, and spaces or none. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (!/^(?:Credential|SignedHeaders|Signature)$/.test(name) || parts.has(name))
      throw malformed('the authorization header requires exactly Credential, SignedHeaders and Signature.');
    parts.set(name, part.slice(equals + 1).trim());
  }
  return parts;
}

function required(parts: ReadonlyMap<string, string>, name: string): string {
  const value = parts.get(name);
  if (value === undefined || value === '')
    throw malformed(`the authorization header requires three components: ${name} is missing.`);
  return value;
}

/** A name that is no token can't be the name of a header. */
export function checkNames(signedHeaders: string, refuse: (message: string) => S3Fault): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/.test(signedHeaders))
    throw refuse('SignedHeaders must be names of headers with ; between them.');
  return signedHeaders;
}

function timeOf({ headers }: RequestHead): number {
  const date = headers.get('x-amz-date');
  // boto3 writes the zone as mail does.
  const httpDate = headers.get('date')?.replace(/ [-+]0000$/, ' GMT');
  const seconds = date === undefined ? parseHttpDate(httpDate ?? '') : undefined;
  const time = date === undefined ? seconds && seconds * 1000 : parseBasicDate(date);
  if (time === undefined)
    throw new S3Fault('AccessDenied', {
      message: 'AWS authentication requires a valid Date or x-amz-date header',
    });
  return time;
}

function malformed(what: string): S3Fault {
  return new S3Fault('AuthorizationHeaderMalformed', {
    message: `The authorization header is malformed; ${what}`,
  });
}
