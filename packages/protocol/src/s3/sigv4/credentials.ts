/** Which credentials a request carries, and that they are well-formed; whether they are right is verify.ts's matter. */
import { S3Fault } from '../fault.ts';
import { V4_ALGORITHM } from './canonical.ts';
import { hoistedParameter, type RequestHead, readRequestHead, type S3Request } from './head.ts';
import { type HeaderCredentials, readHeaderForm } from './header-form.ts';
import { type Payload, readPayload, UNSIGNED_PAYLOAD } from './payload.ts';
import { type PresignedCredentials, readPresigned } from './presigned.ts';
import { readV2, type V2Credentials } from './v2.ts';

export interface Anonymous {
  readonly kind: 'anonymous';
  readonly head: RequestHead;
  readonly payload: Payload;
}
export type KeyCredentials = HeaderCredentials | PresignedCredentials | V2Credentials;
export type Credentials = Anonymous | KeyCredentials;

export function readCredentials(request: S3Request, { allowsV2 }: { allowsV2: boolean }): Credentials {
  const head = readRequestHead(request);
  const authorization = authorizationOf(request.rawHeaders);
  const token = head.headers.get('x-amz-security-token') ?? hoistedParameter(head, 'x-amz-security-token');
  if (token !== undefined && token !== '')
    throw new S3Fault('InvalidToken', { hint: 'there are no session tokens here: use a key without one' });
  const has = (name: string) => head.parameters.some((parameter) => parameter.name === name);
  const v4 = has('X-Amz-Algorithm') || has('X-Amz-Credential') || has('X-Amz-Signature');
  const v2 = has('Signature') && has('AWSAccessKeyId');
  if (Number(v4) + Number(v2) + Number(authorization !== '') > 1)
    throw invalid(
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    );
  if (v4) return readPresigned(head);
  if (v2) {
    if (!allowsV2) throw unsupported();
    return readV2(head);
  }
  if (authorization === '') return anonymous(head);
  if (/^AWS4-HMAC-SHA256(?:[ \t]|$)/.test(authorization)) return readHeaderForm(head, authorization);
  if (authorization.startsWith('AWS ')) throw unsupported();
  throw invalid('Unsupported Authorization Type');
}

function anonymous(head: RequestHead): Anonymous {
  const value = head.headers.get('x-amz-content-sha256') ?? UNSIGNED_PAYLOAD;
  return { kind: 'anonymous', head, payload: readPayload(value, { chain: false }) };
}

/** Two of them would be one for a proxy and another for us. */
function authorizationOf(rawHeaders: readonly string[]): string {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'authorization') continue;
    if (found !== undefined)
      throw invalid('Only one auth mechanism allowed; there are two Authorization headers');
    found = rawHeaders[at + 1]?.trim() ?? '';
  }
  return found ?? '';
}

function invalid(message: string): S3Fault {
  return new S3Fault('InvalidArgument', { message, details: { ArgumentName: 'Authorization' } });
}

function unsupported(): S3Fault {
  return new S3Fault('InvalidRequest', {
    message: `The authorization mechanism you have provided is not supported. Please use ${V4_ALGORITHM}.`,
  });
}
