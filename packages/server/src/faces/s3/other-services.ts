/**
 * Calls of AWS's other services (STS, IAM and the like) that a client sends to the S3 endpoint, because it was given one address
 * for all. They are forms posted to `/`; the refusal has the form in which their clients look for one, so that they print it.
 */
import { FORM_TYPE, parseFields } from '@millpond/protocol';
import { writeXml } from '@millpond/protocol/s3';
import type { HttpResponse, RequestContext } from '../../platform/web/index.ts';
import type { S3Address } from './s3.request.ts';

const MAX_ACTION_LENGTH = 64;

export function isCallOfOtherService(context: RequestContext, { bucket }: S3Address): boolean {
  const type = (context.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  return bucket === undefined && context.request.method === 'POST' && type === FORM_TYPE;
}

export async function rejectOtherService(context: RequestContext): Promise<HttpResponse> {
  await context.readOpenBody();
  const action = actionIn(context.body);
  const Message = [
    `Millpond answers S3 at this address, and has no ${action === undefined ? 'other services of AWS' : action}:`,
    'access keys, and what each may do, are made with `millpond key create` or in the console',
  ].join(' ');
  return {
    status: 400,
    headers: { 'content-type': 'text/xml' },
    body: writeXml(
      'ErrorResponse',
      { Error: { Type: 'Sender', Code: 'InvalidAction', Message }, RequestId: context.reqid },
      { namespace: false },
    ),
    why: `InvalidAction: ${action ?? 'a call of another service'}`,
  };
}

/** A name plain enough to be repeated. */
function actionIn(body: Uint8Array): string | undefined {
  const action = parseFields(body).get('Action') ?? '';
  return action.length <= MAX_ACTION_LENGTH && /^[A-Za-z]+$/.test(action) ? action : undefined;
}
