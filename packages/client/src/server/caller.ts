/**
 * One signed call: its target as on the wire, its signature, its answer as JSON or as the one error. Calls are dated,
 * so that nobody can replay them later.
 */
import {
  type AccessKeyPair,
  dateHeaderName,
  dialects,
  FORM_TYPE,
  formatRequestDate,
  signManagement,
} from '@millpond/protocol';
import { MillpondError, notJson } from '../core/error.ts';
import { refusedAsUsage } from '../core/own-error.ts';
import { refusalOf } from '../core/refusal.ts';
import { type RetryOptions, withRetries } from '../core/retry.ts';
import type { Transport, TransportAnswer } from '../core/transport.ts';
import { hashing } from '../node/hashing.ts';
import { type Hosts, hostOf, type Role } from './hosts.ts';

/** Access keys sign; an access token is sent as it is, over TLS only. A function is called for each request. */
export type Credentials = AccessKeyPair | { readonly accessToken: string | (() => string | Promise<string>) };

export interface CallerOptions {
  readonly hosts: Hosts;
  readonly credentials?: Credentials | undefined;
  readonly dialect: keyof typeof dialects;
  readonly transport: Transport;
  readonly retry?: RetryOptions | undefined;
}

export interface ApiCall {
  readonly role: Role;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Raw path and query. */
  readonly target: string;
  readonly form?: Form;
  readonly json?: unknown;
  /** Whether repeating it is harmless; default: for GET. */
  readonly repeatable?: boolean;
  /** Without a credential. */
  readonly open?: true;
  readonly signal?: AbortSignal | undefined;
}

export type Form =
  | Readonly<Record<string, string | number | boolean | undefined>>
  | readonly [string, string][];

/** Options that every call has, besides its own. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  get options(): CallerOptions {
    return this.#options;
  }

  /** The answer's JSON. `putTime` has more digits than a number can hold, so it is a bigint. */
  async json<T>(call: ApiCall): Promise<T> {
    const { text, answer } = await this.#read(call);
    try {
      return JSON.parse(text, exactTimes) as T;
    } catch (cause) {
      throw notJson(answer.status, text, { reqid: answer.header('x-reqid'), cause });
    }
  }

  /** For answers without content. */
  async done(call: ApiCall): Promise<void> {
    await this.#read(call);
  }

  #read(call: ApiCall): Promise<{ text: string; answer: TransportAnswer }> {
    return this.#retried(call, async (answer) => ({ text: await answer.text(), answer }));
  }

  /** The answer as it streams in; only failures before it begins are retried. */
  open(call: ApiCall): Promise<TransportAnswer> {
    return this.#retried(call, async (answer) => answer);
  }

  #retried<T>(call: ApiCall, read: (answer: TransportAnswer) => Promise<T>): Promise<T> {
    const { signal, method = 'POST', repeatable = method === 'GET' } = call;
    return withRetries(async () => read(await this.#send(call)), this.#options.retry, { signal, repeatable });
  }

  async #send({
    role,
    method = 'POST',
    target,
    form,
    json,
    open,
    signal,
  }: ApiCall): Promise<TransportAnswer> {
    const { transport, hosts, credentials } = this.#options;
    const base = hostOf(hosts, role);
    const body = json === undefined ? form && formText(form) : JSON.stringify(json);
    const contentType = json === undefined ? FORM_TYPE : 'application/json';
    const headers: Record<string, string> = { 'content-type': contentType };
    if (open === undefined) {
      if (credentials === undefined) throw new MillpondError('usage', 'this call needs credentials');
      Object.assign(
        headers,
        await this.#authorized(credentials, { method, base, target, contentType, body }),
      );
    }
    const answer = await transport({
      method,
      url: base + target,
      headers,
      ...(body === undefined ? {} : { body }),
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const isSigned = open === undefined && credentials !== undefined && 'accessKey' in credentials;
    throw await refusalOf(answer, isSigned ? credentials.accessKey : undefined);
  }

  async #authorized(
    credentials: Credentials,
    call: { method: string; base: string; target: string; contentType: string; body: string | undefined },
  ): Promise<Record<string, string>> {
    const dialect = dialects[this.#options.dialect];
    if ('accessToken' in credentials) {
      if (!call.base.startsWith('https:') && !/^http:\/\/(127\.|localhost[:/]|\[::1\])/.test(`${call.base}/`))
        throw new MillpondError('usage', 'an access token is sent over HTTPS only');
      const { accessToken } = credentials;
      const token = typeof accessToken === 'string' ? accessToken : await accessToken();
      return { authorization: `${dialect.scheme} ${token}` };
    }
    const dated: [string, string] = [dateHeaderName(dialect), formatRequestDate(new Date())];
    const url = new URL(call.base);
    const signed = {
      method: call.method,
      target: url.pathname.replace(/\/+$/, '') + call.target,
      host: url.host,
      contentType: call.contentType,
      headers: [dated],
      body: call.body === undefined ? undefined : new TextEncoder().encode(call.body),
    };
    const authorization = refusedAsUsage(() => signManagement(hashing, credentials, signed, dialect));
    return { [dated[0]]: dated[1], authorization };
  }
}

/** `?a=1&b=2` from the given fields, or nothing. */
export function queryText(fields: Form): string {
  const text = formText(fields);
  return text === '' ? '' : `?${text}`;
}

function formText(fields: Form): string {
  const pairs = Array.isArray(fields) ? (fields as [string, string][]) : Object.entries(fields);
  const given = pairs.filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

function exactTimes(key: string, value: unknown, context?: { source?: string }): unknown {
  return key === 'putTime' && typeof value === 'number' ? BigInt(context?.source ?? value) : value;
}
