/** Somebody who is signed in at a console: requests as its pages make them, with a cookie and the proof against forgery. */
import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { Agent as HttpsAgent, request as secureRequest } from 'node:https';
import { CONSOLE_HEADER, FORM_TYPE, type SessionState } from '@millpond/protocol';

/** Where a console is, and the certificate to trust there. */
export interface ConsoleAt {
  readonly url: string;
  readonly certificate?: string | undefined;
}

export interface ConsoleRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Undefined takes away one that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
}

export interface ConsoleResponse {
  readonly status: number;
  readonly bytes: Buffer;
  header(name: string): string | undefined;
  text(): string;
  json(): unknown;
}

export interface ConsoleUser {
  /** `name=value`, as the browser sends it. */
  readonly cookie: string;
  readonly state: SessionState;
  /** A request to the console itself. */
  send(target: string, sent?: ConsoleRequest): Promise<ConsoleResponse>;
  /** A call of the interface, by its role: `call('rs', '/stat/…')`. */
  call(role: string, target: string, sent?: ConsoleRequest): Promise<ConsoleResponse>;
}

/** Connections are kept: the handshake is not what is tested. */
const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

/** With nothing but what is given. */
export async function consoleSend(
  at: ConsoleAt,
  target: string,
  { method = 'GET', headers = {}, body }: ConsoleRequest = {},
): Promise<ConsoleResponse> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { protocol, hostname, port } = new URL(at.url);
  // Node would leave out the length of what a DELETE brings.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = { ...Object.fromEntries(given), ...length };
  const place = { hostname, port, path: target, method, headers: sent };
  const sending =
    protocol === 'https:'
      ? secureRequest({ ...place, agent: agents['https:'], ca: at.certificate, servername: '' })
      : request({ ...place, agent: agents['http:'] });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return {
    status: answer.statusCode ?? 0,
    bytes,
    header(name) {
      const value = answer.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    text: () => bytes.toString(),
    json: () => JSON.parse(bytes.toString()) as unknown,
  };
}

/** `accessKey`: the session has the rights of this key only. */
export async function signIn(
  at: ConsoleAt,
  who: { readonly email: string; readonly password: string; readonly accessKey?: string },
): Promise<ConsoleUser> {
  const { email, password, accessKey } = who;
  const form = new URLSearchParams({ email, password, ...(accessKey !== undefined && { accessKey }) });
  const answer = await consoleSend(at, '/session', {
    method: 'POST',
    headers: { [CONSOLE_HEADER]: '1', 'content-type': FORM_TYPE },
    body: form.toString(),
  });
  if (answer.status !== 200) throw new Error(`signing in was answered ${answer.status}: ${answer.text()}`);
  const cookie = (answer.header('set-cookie') ?? '').split(';')[0] ?? '';
  const send = (target: string, sent: ConsoleRequest = {}) =>
    consoleSend(at, target, { ...sent, headers: { ...headersOf(at, cookie, sent), ...sent.headers } });
  return {
    cookie,
    state: answer.json() as SessionState,
    send,
    call: (role, target, sent) => send(`/call/${role}${target}`, sent),
  };
}

/** As a browser sends them. */
function headersOf(
  at: ConsoleAt,
  cookie: string,
  { method = 'GET', body }: ConsoleRequest,
): Record<string, string> {
  const isRead = method === 'GET' || method === 'HEAD';
  return {
    cookie,
    'sec-fetch-site': 'same-origin',
    ...(!isRead && { [CONSOLE_HEADER]: '1', origin: new URL(at.url).origin }),
    ...(typeof body === 'string' && { 'content-type': FORM_TYPE }),
  };
}
