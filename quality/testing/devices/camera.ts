/**
 * A GB/T 28181 camera for tests: registers with digest, sends keepalives, lists its channels on request. It implements
 * SIP by itself and knows nothing about the server, so that a mistake in one is not also in the other.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type LinkTarget, openTcp, openUdp } from './camera-link.ts';

export interface SipServer extends LinkTarget {
  readonly serverId: string;
  readonly realm: string;
}

export interface CameraChannel {
  readonly gbid: string;
  readonly name?: string;
  readonly status?: string;
}

export interface CameraOptions {
  readonly gbid: string;
  readonly password: string;
  readonly username?: string;
  readonly transport?: 'udp' | 'tcp';
  /** Without `qop`, as in old cameras. */
  readonly plainDigest?: boolean;
  readonly channels?: readonly CameraChannel[];
  /** Items in one message of a catalog. */
  readonly perMessage?: number;
}

export interface SipResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** A received request, with what is needed to answer it. */
export interface SipCall {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `tag`: the camera's own, in To. */
  answer(status: string, headers?: readonly string[], body?: string, tag?: string): void;
}

export interface Camera {
  readonly gbid: string;
  /** Handles calls (INVITE, ACK, BYE, CANCEL), which are otherwise answered like every request. */
  onCall: ((call: SipCall) => void) | undefined;
  /** Its own `127.0.0.1:port`. */
  host(): string;
  readonly transport: 'UDP' | 'TCP';
  /** The channels it lists from now on. */
  channels: readonly CameraChannel[];
  /** Numbers of the channel queries it received. */
  readonly queries: string[];
  /** With the challenge and its response; returns the last answer. */
  register(options?: { expires?: number; password?: string }): Promise<SipResponse>;
  /** One REGISTER as it is, with this Authorization or none. */
  registerOnce(expires: number, authorization?: string): Promise<SipResponse>;
  authorization(challenge: string, password?: string): string;
  keepalive(): Promise<SipResponse>;
  /** One request with this content, from this camera or, given an id, from another. */
  message(body: Buffer, from?: string): Promise<SipResponse>;
  catalog(number: string): Promise<SipResponse[]>;
  /** Bytes as they are; returns every answer that arrives within the time. */
  raw(bytes: Buffer, waitMs: number): Promise<Buffer[]>;
  close(): Promise<void>;
}

const RESPONSE_TIMEOUT_MS = 30_000;
const REPEAT_MS = 1000;
const md5 = (text: string) => createHash('md5').update(text, 'latin1').digest('hex');

export async function openCamera(server: SipServer, options: CameraOptions): Promise<Camera> {
  const link = await (options.transport === 'tcp' ? openTcp(server) : openUdp(server));
  const { gbid } = options;
  const username = options.username ?? gbid;
  const callId = randomBytes(8).toString('hex');
  const waiting = new Map<string, (answer: SipResponse | Error) => void>();
  const listeners = new Set<(bytes: Buffer) => void>();
  const queries: string[] = [];
  let sequence = 0;
  let count = 0;

  const send = (
    method: string,
    from: string,
    headers: readonly string[],
    body: Buffer,
  ): Promise<SipResponse> => {
    const branch = `z9hG4bK${randomBytes(8).toString('hex')}`;
    const head = [
      `${method} sip:${server.serverId}@${server.realm} SIP/2.0`,
      `Via: SIP/2.0/${link.name} ${link.host()};rport;branch=${branch}`,
      `From: <sip:${from}@${server.realm}>;tag=${randomBytes(4).toString('hex')}`,
      `To: <sip:${method === 'REGISTER' ? from : server.serverId}@${server.realm}>`,
      `Call-ID: ${callId}`,
      `CSeq: ${++sequence} ${method}`,
      `Contact: <sip:${from}@${link.host()}>`,
      'Max-Forwards: 70',
      'User-Agent: Test Camera 1.0',
      ...headers,
      `Content-Length: ${body.length}`,
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
    return new Promise((resolve, reject) => {
      const repeat = link.name === 'UDP' ? setInterval(() => link.send(bytes), REPEAT_MS) : undefined;
      const end = setTimeout(() => done(new Error(`no answer to ${method}`)), RESPONSE_TIMEOUT_MS);
      const done = (result: SipResponse | Error) => {
        clearInterval(repeat);
        clearTimeout(end);
        waiting.delete(branch);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      waiting.set(branch, done);
      link.send(bytes);
    });
  };

  const camera: Camera = {
    gbid,
    onCall: undefined,
    host: () => link.host(),
    transport: link.name,
    channels: options.channels ?? [],
    queries,
    registerOnce: (expires, authorization) =>
      send(
        'REGISTER',
        gbid,
        [`Expires: ${expires}`, ...(authorization === undefined ? [] : [`Authorization: ${authorization}`])],
        Buffer.alloc(0),
      ),
    authorization(challenge, password = options.password) {
      const { realm = '', nonce = '' } = parametersOf(challenge);
      const uri = `sip:${server.serverId}@${server.realm}`;
      const [secret, asked] = [md5(`${username}:${realm}:${password}`), md5(`REGISTER:${uri}`)];
      const common = `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=MD5`;
      if (options.plainDigest) return `${common}, response="${md5(`${secret}:${nonce}:${asked}`)}"`;
      const [nc, cnonce] = [(++count).toString(16).padStart(8, '0'), randomBytes(4).toString('hex')];
      const response = md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${asked}`);
      return `${common}, response="${response}", qop=auth, nc=${nc}, cnonce="${cnonce}"`;
    },
    async register({ expires = 3600, password } = {}) {
      const first = await camera.registerOnce(expires);
      if (first.status !== 401) return first;
      return camera.registerOnce(
        expires,
        camera.authorization(first.headers['www-authenticate'] ?? '', password),
      );
    },
    keepalive: () =>
      camera.message(
        xml(
          'Notify',
          `<CmdType>Keepalive</CmdType><SN>1</SN><DeviceID>${gbid}</DeviceID><Status>OK</Status>`,
        ),
      ),
    message: (body, from = gbid) => send('MESSAGE', from, ['Content-Type: Application/MANSCDP+xml'], body),
    async catalog(number) {
      const { channels } = camera;
      const size = options.perMessage ?? 10;
      const parts = Array.from({ length: Math.max(1, Math.ceil(channels.length / size)) }, (_, at) =>
        channels.slice(at * size, (at + 1) * size),
      );
      return Promise.all(
        parts.map((part) => camera.message(catalogXml(gbid, number, channels.length, part))),
      );
    },
    async raw(bytes, waitMs) {
      const answers: Buffer[] = [];
      const listener = (answer: Buffer) => answers.push(answer);
      listeners.add(listener);
      link.send(bytes);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      listeners.delete(listener);
      return answers;
    },
    async close() {
      for (const end of waiting.values()) end(new Error('the camera was closed'));
      await link.close();
    },
  };

  link.onBytes((bytes) => {
    for (const listener of listeners) listener(bytes);
    const [head = '', body = ''] = bytes.toString('latin1').split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    if (first.startsWith('SIP/2.0')) {
      const branch = /branch=([^;]+)/.exec(headers.via ?? '')?.[1] ?? '';
      waiting.get(branch)?.({ status: Number(first.split(' ')[1]), headers, bytes });
      return;
    }
    const answer: SipCall['answer'] = (status, more = [], content = '', tag = '') => {
      const echoed = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map(
        (name) =>
          `${name}: ${headers[name.toLowerCase()]}${name === 'To' && tag !== '' ? `;tag=${tag}` : ''}`,
      );
      const all = [`SIP/2.0 ${status}`, ...echoed, ...more, `Content-Length: ${content.length}`, '', content];
      link.send(Buffer.from(all.join('\r\n'), 'latin1'));
    };
    const [method = '', uri = ''] = first.split(' ');
    if (camera.onCall !== undefined && ['INVITE', 'ACK', 'BYE', 'CANCEL'].includes(method)) {
      camera.onCall({ method, uri, headers, body, answer });
      return;
    }
    answer('200 OK');
    const number = /<CmdType>Catalog<\/CmdType>\s*<SN>(\d+)<\/SN>/.exec(body)?.[1];
    if (number === undefined || queries.includes(number)) return;
    queries.push(number);
    camera.catalog(number).catch(() => undefined);
  });
  return camera;
}

/** Bytes of a device's XML; the text is latin1, so that it can contain any bytes. */
export function xml(root: string, content: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="GB2312"?>\r\n<${root}>${content}</${root}>\r\n`,
    'latin1',
  );
}

export function catalogXml(
  gbid: string,
  number: string,
  total: number,
  part: readonly CameraChannel[],
): Buffer {
  const items = part.map(
    ({ gbid: id, name = 'Gate', status = 'ON' }) =>
      `<Item><DeviceID>${id}</DeviceID><Name>${name}</Name><Manufacturer>Test</Manufacturer><Status>${status}</Status></Item>`,
  );
  return xml(
    'Response',
    `<CmdType>Catalog</CmdType><SN>${number}</SN><DeviceID>${gbid}</DeviceID><SumNum>${total}</SumNum>` +
      `<DeviceList Num="${part.length}">${items.join('')}</DeviceList>`,
  );
}

function parametersOf(challenge: string): Record<string, string> {
  return Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}
