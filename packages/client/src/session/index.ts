/**
 * For a page of the console's own origin: every call, made in the session of whoever signed in. The page holds no key and no
 * token; the browser sends the session's cookie, which no script can read.
 */
import { CONSOLE_ACCOUNT_HEADER, CONSOLE_HEADER, type dialects } from '@millpond/protocol';
import { webDigests } from '../core/digests.ts';
import { fetchTransport } from '../core/fetch-transport.ts';
import type { RetryOptions } from '../core/retry.ts';
import type { Transport } from '../core/transport.ts';
import { Caller, type CallOptions } from '../server/caller.ts';
import { Calls } from '../server/calls.ts';
import { type Hosts, roles } from '../server/hosts.ts';
import type { Journal } from '../uploads/journal.ts';
import { Uploader } from '../uploads/uploader.ts';

export * from '../browser.ts';
export type { CallOptions } from '../server/caller.ts';
export type { DeliveryFilter } from '../server/deliveries.ts';
export type { BackgroundFetch } from '../server/fetches.ts';
export type { ListOptions, ObjectListChunk, ObjectPage } from '../server/lists.ts';
export type {
  ListPage,
  PageOptions as LivePageOptions,
  RangePageOptions,
  TimeRange,
} from '../server/live/calls.ts';
export type { ChannelCounts, DeviceFilter } from '../server/live/devices.ts';
export type { StreamFilter } from '../server/live/streams.ts';
export { type MetadataChange, operations } from '../server/operations.ts';
export type { PageOptions, Submission, TaskFilter, TaskPage } from '../server/processing.ts';
export type * from '../server/records.ts';

export interface SessionClientOptions {
  /** The page's own: `location.origin`. */
  readonly origin: string;
  readonly dialect: keyof typeof dialects;
  /** For an operator: the account to act for. */
  readonly account?: number | undefined;
  readonly transport?: Transport | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** Pages of other origins cannot send it, so it proves that one of the console's own made the request. */
const OWN_PAGE = { [CONSOLE_HEADER]: '1' };

export class SessionClient extends Calls {
  readonly #options: SessionClientOptions;
  readonly #caller: Caller;

  constructor(options: SessionClientOptions) {
    const { origin, dialect, account, retry } = options;
    const headers =
      account === undefined ? OWN_PAGE : { ...OWN_PAGE, [CONSOLE_ACCOUNT_HEADER]: String(account) };
    const caller = new Caller({
      hosts: hostsAt(origin),
      authority: { headers: () => headers },
      dialect,
      transport: options.transport ?? fetchTransport(),
      retry,
    });
    super(caller);
    this.#options = options;
    this.#caller = caller;
  }

  /** Uploads with tokens, which the server makes for the session. */
  uploader(journal?: Journal): Uploader {
    const { origin, dialect, transport = fetchTransport() } = this.#options;
    return new Uploader({
      url: `${origin}/call/up`,
      transport: (request) => transport({ ...request, headers: { ...request.headers, ...OWN_PAGE } }),
      digests: webDigests,
      journal,
      dialect,
    });
  }

  /** Where the session reads an object: for this page only, never to be passed on. */
  objectUrl(bucket: string, key: string, query = ''): string {
    return `${this.#options.origin}/call/io${targetOf(bucket, key, query)}`;
  }

  /** Where the session plays a stream that `urls` gave the address of. */
  playUrl(hls: string): string {
    const { pathname, search } = new URL(hls);
    const at = Math.max(0, pathname.lastIndexOf('/v1/play/'));
    return `${this.#options.origin}/call/live${pathname.slice(at)}${search}`;
  }

  /** A small text: of an object, or what a command answers about one. Longer ones are cut. */
  async objectText(
    bucket: string,
    key: string,
    { query = '', most = 256 * 1024, signal }: CallOptions & { query?: string; most?: number } = {},
  ): Promise<string> {
    const target = targetOf(bucket, key, query);
    const answer = await this.#caller.open({ role: 'io', method: 'GET', target, signal });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.chunks()) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= most) break;
    }
    return text.slice(0, most);
  }
}

function targetOf(bucket: string, key: string, query: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `/${encodeURIComponent(bucket)}/${path}${query === '' ? '' : `?${query}`}`;
}

function hostsAt(origin: string): Hosts {
  return Object.fromEntries(roles.map((role) => [role, `${origin}/call/${role}`]));
}
