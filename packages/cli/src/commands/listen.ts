/**
 * `millpond listen`: a receiver on this machine. It verifies what arrives, prints it, and forwards it to the
 * application under development; the application's answer goes back.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { forwardedHeaders, type VerifyOptions, type VerifyResult, verifyRequest } from '@millpond/client';
import { MIB } from '@millpond/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../exit.ts';
import { escapeForTerminal } from '../remote/text.ts';

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly secretFile?: string;
  readonly dialect: 'svc' | 'qiniu';
  readonly signedBody?: 'raw' | 'base64url';
  readonly forwardTo?: URL;
  readonly json?: boolean;
}

const MAX_BODY_BYTES = 4 * MIB;
const MAX_RESPONSE_BYTES = MIB;
const FORWARD_MS = 10_000;
/** Headers of the connection to us, not of the message. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
]);

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('receive callbacks and events on this machine: verify, print and forward them')
    .option('--port <n>', 'port to listen on; 0 chooses a free one', readPort, 8200)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--secret-file <file>',
      'webhook secrets, one per line; - is standard input. Default: MILLPOND_WEBHOOK_SECRET. Signatures made with an access key are verified with MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY',
    )
    .addOption(
      new Option('--dialect <name>', 'names used on the wire').choices(['svc', 'qiniu']).default('svc'),
    )
    .addOption(
      new Option(
        '--signed-body <form>',
        "what a callback's signature covers of a form body, where the server has MILLPOND_CALLBACK_SIGNED_BODY; else the dialect says it",
      ).choices(['raw', 'base64url']),
    )
    .option('--forward-to <url>', 'forward verified requests to this URL, and return its answer', readUrl)
    .option('--json', 'one JSON object per line')
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  const verifyOptions = await readVerification(options);
  const server = createServer((request, response) => {
    receive(request, response, options, verifyOptions).catch(() => response.destroy());
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  say(
    options,
    { listening: `http://${options.host}:${port}` },
    `listening on http://${options.host}:${port}`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ListenOptions,
  verifyOptions: VerifyOptions,
): Promise<void> {
  const body = await read(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const { method = '', url = '/', headers } = request;
  const verifyResult = verifyRequest({ method, url, headers, body }, verifyOptions);
  const answer = await answerTo(request, body, verifyResult, options);
  const status = { verified: verifyResult.ok, ...verifyResult, status: answer.status };
  const received = body.toString();
  say(
    options,
    {
      at: new Date().toISOString(),
      method,
      url,
      id: headers['webhook-id'],
      ...status,
      headers,
      body: received,
    },
    `${new Date().toISOString()}  ${method} ${escapeForTerminal(url)}  ${words(verifyResult)}  → ${answer.status}\n${escapeForTerminal(received)}`,
  );
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
}

/** Secrets come from the environment, a file or standard input: everybody on the machine can see a command line. */
async function readVerification({ secretFile, dialect, signedBody }: ListenOptions): Promise<VerifyOptions> {
  const { MILLPOND_WEBHOOK_SECRET, MILLPOND_ACCESS_KEY, MILLPOND_SECRET_KEY } = process.env;
  const secrets = secretFile === undefined ? linesOf(MILLPOND_WEBHOOK_SECRET) : await secretsIn(secretFile);
  const hasKey = MILLPOND_ACCESS_KEY !== undefined && MILLPOND_SECRET_KEY !== undefined;
  return {
    dialect,
    ...(signedBody === undefined ? {} : { signedBody }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(hasKey ? { keys: [{ accessKey: MILLPOND_ACCESS_KEY, secretKey: MILLPOND_SECRET_KEY }] } : {}),
  };
}

async function secretsIn(file: string): Promise<readonly string[]> {
  const given = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const secrets = linesOf(given);
  if (secrets === undefined) throw new UsageError(`there is no secret in ${file}`);
  return secrets;
}

function linesOf(given: string | undefined): readonly string[] | undefined {
  const lines = given?.split(/\s+/).filter((line) => line !== '') ?? [];
  return lines.length === 0 ? undefined : lines;
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** What can't be verified is refused, and not forwarded. */
async function answerTo(
  request: IncomingMessage,
  body: Buffer,
  verifyResult: VerifyResult,
  { forwardTo }: ListenOptions,
): Promise<Reply> {
  const json = 'application/json';
  if (!verifyResult.ok) return { status: 401, type: json, body: '{"error":"not verified"}' };
  if (forwardTo === undefined) return { status: 200, type: json, body: '{}' };
  const { url = '/', headers: received } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    if (!OWN_HEADERS.has(name)) headers.set(name, String(value));
  // The signatures cover these, and forwarding changes them: the application needs both to verify the signatures itself.
  for (const [name, value] of Object.entries(forwardedHeaders({ url, headers: received })))
    headers.set(name, value);
  try {
    const answer = await fetch(forwardTo, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    });
    const bytes = Buffer.from(await answer.arrayBuffer()).subarray(0, MAX_RESPONSE_BYTES);
    return { status: answer.status, type: answer.headers.get('content-type') ?? json, body: bytes };
  } catch (error) {
    return { status: 502, type: json, body: JSON.stringify({ error: (error as Error).message }) };
  }
}

/** Undefined if the body is larger than anybody sends. */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function words(verifyResult: VerifyResult): string {
  const seen = (['webhook', 'event', 'callback'] as const)
    .filter((name) => verifyResult[name] !== undefined)
    .map((name) => `${name} ${verifyResult[name] ? 'good' : 'BAD'}`);
  return seen.length === 0 ? 'no key or secret to verify it with' : seen.join(', ');
}

function say(options: { json?: boolean }, result: object, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(result) : text}\n`);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('must be a port from 0 to 65535');
  return port;
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('must be a URL, http://… or https://…');
  return url;
}
