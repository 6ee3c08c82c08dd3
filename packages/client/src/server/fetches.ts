/** Files from other servers: synchronously, in the background, or from a bucket's mirror. */
import { encodeBase64Text } from '@millpond/protocol';
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { entryOf } from './entry.ts';
import type { FetchResult, FetchStatus } from './records.ts';

export interface BackgroundFetch {
  /** One URL, or several for the same file. */
  readonly url: string | readonly string[];
  readonly bucket: string;
  readonly key?: string;
  readonly host?: string;
  readonly md5?: string;
  readonly etag?: string;
  readonly callbackUrl?: string;
  readonly callbackBody?: string;
  readonly callbackBodyType?: string;
  readonly callbackHost?: string;
  readonly fileType?: number;
  /** Leave an existing object with that key as it is. */
  readonly ignoreSameKey?: boolean;
}

export class Fetches {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Waits until the file is stored. Without a key it is named by its hash. */
  fetch(
    url: string,
    bucket: string,
    key?: string,
    options: CallOptions & { host?: string } = {},
  ): Promise<FetchResult> {
    const host = options.host === undefined ? '' : `/host/${encodeBase64Text(options.host)}`;
    const target = `/fetch/${encodeBase64Text(url)}/to/${entryOf(bucket, key)}${host}`;
    return this.#caller.json({ role: 'io', target, repeatable: true, signal: options.signal });
  }

  /** Fetches an object of a mirrored bucket again. */
  prefetch(bucket: string, key: string, options: CallOptions = {}): Promise<void> {
    const target = `/prefetch/${entryOf(bucket, key)}`;
    return this.#caller.sendEmpty({ role: 'io', target, repeatable: true, signal: options.signal });
  }

  /** In the background; HTTPS only. */
  start(fetch: BackgroundFetch, options: CallOptions = {}): Promise<{ id: string; wait: number }> {
    const json = {
      url: typeof fetch.url === 'string' ? fetch.url : fetch.url.join(';'),
      bucket: fetch.bucket,
      key: fetch.key,
      host: fetch.host,
      md5: fetch.md5,
      etag: fetch.etag,
      callbackurl: fetch.callbackUrl,
      callbackbody: fetch.callbackBody,
      callbackbodytype: fetch.callbackBodyType,
      callbackhost: fetch.callbackHost,
      file_type: fetch.fileType,
      ignore_same_key: fetch.ignoreSameKey,
    };
    return this.#caller.json({ role: 'api', target: '/sisyphus/fetch', json, ...options });
  }

  status(id: string, options: CallOptions = {}): Promise<FetchStatus> {
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: `/sisyphus/fetch${queryText({ id })}`,
      ...options,
    });
  }
}
