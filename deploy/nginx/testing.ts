/** Requests whose target is sent byte for byte: `fetch` would normalise it, and hide repeated headers. */
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface ProxyResponse {
  readonly status: number;
  /** Lower-case names; a repeated header has several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(
  url: string,
  target: string,
  { method = 'GET', headers = {} }: Ask = {},
): Promise<ProxyResponse> {
  const { hostname, port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path: target, method, headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response.rawHeaders),
    body: await buffer(response),
  };
}

function headersOf(raw: readonly string[]): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers[name] = [...(headers[name] ?? []), raw[at + 1] ?? ''];
  }
  return headers;
}

/** What belongs to a connection or a single answer, not to the object. */
const HOP_HEADERS = ['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'x-reqid'];

/** Everything in which two ways of sending the same object must agree. */
export function lasting({ status, headers, body }: ProxyResponse): object {
  const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name));
  return {
    status,
    headers: Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    body:
      body.length > 100
        ? `${body.length} bytes, ${Buffer.from(body).toString('hex', 0, 16)}`
        : body.toString(),
  };
}
