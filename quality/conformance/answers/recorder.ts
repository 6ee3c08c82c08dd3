/**
 * Loaded into a server before its own code (`node --import`): writes down every request over HTTP with its answer, a line of JSON
 * each, into a file of the process in the folder MILLPOND_TEST_ANSWERS. It stands on Node's server alone, so that servers
 * of very different versions can be watched.
 */
import { EventEmitter } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { type IncomingMessage, Server as PlainServer, type ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import path from 'node:path';

export interface RecordedAnswer {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  /** The kind of credential, without the credential. */
  readonly credential: string;
  readonly contentType: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes, as Latin-1. */
  readonly body: string;
}

const MAX_BODY_BYTES = 16 * 1024;
const REQUEST_EVENTS = new Set(['request', 'checkContinue', 'checkExpectation']);
const folder = process.env.MILLPOND_TEST_ANSWERS;

if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${process.pid}-${Date.now()}.jsonl`);
  for (const { prototype } of [PlainServer, SecureServer]) {
    prototype.emit = new Proxy(prototype.emit.bind(prototype), {
      apply(_bound, server: EventEmitter, values: [string, IncomingMessage, ServerResponse]) {
        if (REQUEST_EVENTS.has(values[0])) record(values[1], values[2], file);
        return EventEmitter.prototype.emit.apply(server, values);
      },
    });
  }
}

function record(request: IncomingMessage, response: ServerResponse, file: string): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown): void => {
    if ((typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) || size >= MAX_BODY_BYTES) return;
    const bytes = Buffer.from(chunk as string);
    chunks.push(bytes);
    size += bytes.length;
  };
  const kept = <Send extends (...values: never[]) => unknown>(send: Send): Send =>
    new Proxy(send, {
      apply(_send, of, values: Parameters<Send>) {
        keep(values[0]);
        return Reflect.apply(send, of, values) as unknown;
      },
    });
  response.write = kept(response.write.bind(response));
  response.end = kept(response.end.bind(response));
  // As they came: a server may change them on its own object.
  const { method = '', url = '', headers } = request;
  const { host = '', authorization = '', 'content-type': contentType = '' } = headers;
  response.once('close', () => {
    const answer: RecordedAnswer = {
      method,
      target: url,
      host,
      credential: authorization.split(' ', 1)[0] ?? '',
      contentType: contentType.split(';', 1)[0] ?? '',
      status: response.headersSent ? response.statusCode : 0,
      headers: sentHeaders(response),
      body: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('latin1'),
    };
    appendFileSync(file, `${JSON.stringify(answer)}\n`);
  });
}

/** As they were sent: `writeHead` need not keep them where `getHeaders` looks. */
function sentHeaders(response: ServerResponse): Record<string, string> {
  const { _header: head = '' } = response as ServerResponse & { readonly _header?: string | null };
  const lines = (head ?? '').split('\r\n').slice(1).filter(Boolean);
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
