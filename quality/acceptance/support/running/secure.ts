/** Calls over real TLS, with statuses and headers as they came. */
import { Agent, request } from 'node:https';
import { FORM_TYPE } from '@millpond/protocol';
import type { RawResponse } from '../raw.ts';
import { authorize, type Call, type Signer } from '../signing.ts';
import { target } from '../target.ts';

/** Where to call, and the certificate to trust there. */
export interface Secure {
  readonly url: string;
  readonly certificate: string;
}

/** Connections are kept: the handshake is not what is tested. */
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

/** Sends a call with the Authorization given, or none. */
export function secureSend(
  call: Call,
  authorization?: string,
  at: Secure = target.secure,
): Promise<RawResponse> {
  const { contentType = FORM_TYPE, method = 'POST', headers = [], body = '' } = call;
  const { hostname, port, host } = new URL(at.url);
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        agent,
        hostname,
        port,
        path: call.target,
        method,
        ca: at.certificate,
        // The certificate is for the address, whatever Host says.
        servername: '',
        headers: {
          host: call.host ?? host,
          ...Object.fromEntries(headers),
          ...(contentType === null ? {} : { 'content-type': contentType }),
          ...(authorization === undefined ? {} : { authorization }),
          'content-length': String(Buffer.byteLength(body)),
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve(answerOf(response.statusCode ?? 0, response.rawHeaders, Buffer.concat(pieces))),
        );
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Signs and sends one and the same call. */
export function secureSigned(
  call: Call,
  signer: Omit<Signer, 'url'> & { readonly at?: Secure } = {},
): Promise<RawResponse> {
  const { at = target.secure, ...rest } = signer;
  return secureSend(call, authorize(call, { ...rest, url: at.url }), at);
}

function answerOf(status: number, rawHeaders: readonly string[], body: Buffer): RawResponse {
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push([(rawHeaders[i] ?? '').toLowerCase(), rawHeaders[i + 1] ?? '']);
  const text = () => body.toString();
  return {
    status,
    headers,
    body,
    header: (name) => headers.find(([candidate]) => candidate === name)?.[1],
    text,
    json: (): unknown => JSON.parse(text()),
  };
}
