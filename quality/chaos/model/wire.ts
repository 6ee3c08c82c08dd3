/** Requests of both protocols to a server that may be killed at any moment. */
import { dialects, FORM_TYPE, formatEntry, signManagement } from '@millpond/protocol';
import { type Account, hashing } from '@millpond/testing';
import { Agent } from 'undici';
import { codeOf } from '../load/client.ts';
import { signS3 } from '../load/sigv4.ts';
import type { Content } from './contents.ts';
import type { Gateway } from './gateways.ts';
import { type Model, type ObjectRef, spaceOf } from './state.ts';

export interface WireResponse {
  readonly status: number;
  readonly body: Buffer;
  header(name: string): string | undefined;
}

/** Nobody knows what became of the request: the server was killed before its answer came. */
export class NoResponseError extends Error {}

/** Where requests go, and how many servers were killed so far. */
export interface Servers {
  readonly kills: number;
  current(): Promise<Gateway>;
  kill(): Promise<void>;
  /** Kills the worker that runs tasks. */
  killWorker(): Promise<void>;
}

interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

export interface S3Call {
  readonly method: Request['method'];
  /** Bucket and key, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Content;
}

/** What commands send. */
export type Requests = Pick<Wire, 'account' | 'signed' | 'plain' | 's3' | 'certain'>;

/** A hang is a fault, too. */
const PATIENCE_MS = 60_000;
const REGION = 'us-east-1';

export class Wire {
  readonly account: Account;
  readonly #servers: Servers;
  readonly #agent: Agent;

  constructor(servers: Servers, account: Account, agent?: Agent) {
    this.#servers = servers;
    this.account = account;
    this.#agent = agent ?? new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  }

  /** The same for another account, over the same connections. */
  by(account: Account): Wire {
    return new Wire(this.#servers, account, this.#agent);
  }

  /** A management call; with a body, a form unless a type is given. */
  signed(target: string, call: { method?: 'GET' | 'POST'; body?: string } = {}): Promise<WireResponse> {
    const { method = 'POST', body } = call;
    return this.#send('url', ({ host }) => ({
      method,
      path: target,
      headers: {
        'content-type': FORM_TYPE,
        authorization: signManagement(
          hashing,
          this.account,
          {
            method,
            target,
            host,
            contentType: FORM_TYPE,
            headers: [],
            body: body === undefined ? undefined : Buffer.from(body),
          },
          dialects.svc,
        ),
      },
      body: body === undefined ? undefined : Buffer.from(body),
    }));
  }

  /** A request that needs no signature, or brings its own. */
  plain(request: Request): Promise<WireResponse> {
    return this.#send('url', () => request);
  }

  s3({ body, ...call }: S3Call): Promise<WireResponse> {
    return this.#send('s3Url', ({ host }) => {
      const keys = { ...this.account, region: REGION };
      const signed = signS3(keys, { ...call, host, ...(body && { bodyHash: body.sha256 }) });
      return { method: call.method, ...signed, body: body?.bytes };
    });
  }

  /** For what may be repeated. */
  async certain(ask: () => Promise<WireResponse>): Promise<WireResponse> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof NoResponseError)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #send(to: 'url' | 's3Url', make: (at: URL) => Request): Promise<WireResponse> {
    const gateway = await this.#servers.current();
    const { method, path, headers, body } = make(new URL(gateway[to]));
    try {
      const answer = await this.#agent.request({
        origin: gateway[to],
        path,
        method,
        headers,
        body: body ?? null,
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return {
        status: answer.statusCode,
        body: bytes,
        header: (name) => answer.headers[name]?.toString(),
      };
    } catch (error) {
      if (this.#servers.kills !== gateway.kills) throw new NoResponseError(codeOf(error));
      throw new Error(`no answer to ${method} ${path}: ${codeOf(error)}`, { cause: error });
    }
  }
}

export function entryOf(model: Model, object: ObjectRef): string {
  return formatEntry(spaceOf(model, object).name, object.key);
}

export function pathOf(bucket: string, key?: string): string {
  return key === undefined ? `/${bucket}` : `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** The texts of all elements of this name. */
export function elementsIn(answer: WireResponse, name: string): string[] {
  const found = answer.body.toString().matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, inside = '']) => inside);
}
