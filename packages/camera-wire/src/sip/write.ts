/** Writes SIP messages. Values come from our own code or from a message that was read strictly. */
import { parameterOf } from './addresses.ts';
import type { SipRequest } from './message.ts';

export type Header = readonly [name: string, value: string];

export interface OutgoingResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers?: readonly Header[];
}

export interface OutgoingRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: readonly Header[];
  readonly content?: { readonly type: string; readonly body: Buffer };
}

const SERVER = 'Millpond';

/** The answer to a request from there. `tag` is ours, the same for the same request. */
export function formatResponse(
  request: SipRequest,
  from: { readonly address: string; readonly port: number },
  response: OutgoingResponse,
  tag: string,
): Buffer {
  const [first = '', ...others] = request.via;
  const to = parameterOf(request.to, 'tag') === undefined ? `${request.to};tag=${tag}` : request.to;
  return write(`SIP/2.0 ${response.status} ${response.reason}`, [
    ['Via', answered(first, from)],
    ...others.map((via): Header => ['Via', via]),
    ['From', request.from],
    ['To', to],
    ['Call-ID', request.callId],
    ['CSeq', `${request.cseq.number} ${request.cseq.method}`],
    ['Server', SERVER],
    ...(response.headers ?? []),
    ['Content-Length', '0'],
  ]);
}

export function formatRequest({ method, uri, headers, content }: OutgoingRequest): Buffer {
  const head = write(`${method} ${uri} SIP/2.0`, [
    ...headers,
    ['Max-Forwards', '70'],
    ['User-Agent', SERVER],
    ...(content === undefined ? [] : [['Content-Type', content.type] as const]),
    ['Content-Length', String(content?.body.length ?? 0)],
  ]);
  return content === undefined ? head : Buffer.concat([head, content.body]);
}

function write(first: string, headers: readonly Header[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([first, ...lines, '', ''].join('\r\n'), 'latin1');
}

/** A camera behind NAT learns from `received` and `rport` how it is seen (RFC 3581). */
function answered(via: string, { address, port }: { address: string; port: number }): string {
  const kept = via.split(';').filter((part) => !/^\s*(?:received|rport)\s*(?:=|$)/i.test(part));
  const asked = parameterOf(via, 'rport') !== undefined;
  return [...kept, `received=${address}`, ...(asked ? [`rport=${port}`] : [])].join(';');
}
