/**
 * One call: its target as on the wire, its credential, its answer as JSON or as the one error. How a call is authorized is
 * given, so that a page, which holds no keys, makes the same calls as a server.
 */
import { type dialects, FORM_TYPE } from '@millpond/protocol';
import { MillpondError, notJson } from '../core/error.ts';
import { refusalOf } from '../core/response-error.ts';
import { type RetryOptions, withRetries } from '../core/retry.ts';
import type { Transport, TransportResponse } from '../core/transport.ts';
import { type Hosts, hostOf, type Role } from './hosts.ts';

/** A call that is about to be sent. */
export interface UnsentCall {
  readonly method: string;
  readonly base: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: string | undefined;
}

/** What authorizes calls: headers for each. */
export interface Authority {
  /** The access key that signs, if one does: errors name it. */
  readonly accessKey?: string | undefined;
  headers(call: UnsentCall): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
}

export interface CallerOptions {
  readonly hosts: Hosts;
  readonly authority?: Authority | undefined;
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
  async sendEmpty(call: ApiCall): Promise<void> {
    await this.#read(call);
  }

  #read(call: ApiCall): Promise<{ text: string; answer: TransportResponse }> {
    return this.#retried(call, async (answer) => ({ text: await answer.text(), answer }));
  }

  /** The answer as it streams in; only failures before it begins are retried. */
  open(call: ApiCall): Promise<TransportResponse> {
    return this.#retried(call, async (answer) => answer);
  }

  #retried<T>(call: ApiCall, read: (answer: TransportResponse) => Promise<T>): Promise<T> {
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
  }: ApiCall): Promise<TransportResponse> {
    const { transport, hosts, authority } = this.#options;
    const base = hostOf(hosts, role);
    const body = json === undefined ? form && formText(form) : JSON.stringify(json);
    const contentType = json === undefined ? FORM_TYPE : 'application/json';
    const headers: Record<string, string> = { 'content-type': contentType };
    if (open === undefined) {
      if (authority === undefined) throw new MillpondError('usage', 'this call needs credentials');
      Object.assign(headers, await authority.headers({ method, base, target, contentType, body }));
    }
    const answer = await transport({
      method,
      url: base + target,
      headers,
      ...(body === undefined ? {} : { body }),
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw await refusalOf(answer, open === undefined ? authority?.accessKey : undefined);
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
