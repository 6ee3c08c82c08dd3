/** Fetch: one file from a URL into a bucket, while the caller waits. */
import type { Entry, WireRecord } from '@millpond/protocol';
import type { Tenants } from '../../identity/accounts/index.ts';
import type { RequestContext } from '../../platform/web/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { CommitHook, Objects } from '../../storage/objects/index.ts';
import { commitFetched, describeFetched, type FetchedObject } from './fetched-object.ts';
import { KeyedSemaphore } from './keyed-semaphore.ts';
import { checkForm } from './mirror-source.ts';
import { discardBlobOnError, fetchFile, type OriginDeps } from './origin.ts';

/** What else to do in the commit of a fetched object, if anything; `reqid` is that of the call that requested it. */
export type FetchCommitHook = (object: FetchedObject, reqid: string) => Promise<CommitHook | undefined>;

export interface FetchDeps extends OriginDeps {
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly tenants: Tenants;
  readonly timeoutMs: number;
  /** Fetches of one tenant at a time; any more are refused. */
  readonly fetchesPerAccount: number;
  readonly onCommit: FetchCommitHook;
}

export type FetchResult = WireRecord<'Fetched'>;

export class Fetches {
  readonly #deps: FetchDeps;
  readonly #ofTenant: KeyedSemaphore;

  constructor(deps: FetchDeps) {
    this.#deps = deps;
    this.#ofTenant = new KeyedSemaphore({
      atOnce: deps.fetchesPerAccount,
      waiting: 0,
      waitMs: 0,
      hint: `an account and its children may fetch at most ${deps.fetchesPerAccount} files at a time; fetch asynchronously, or try again later`,
    });
  }

  async fetch(
    uid: bigint,
    { url, host, entry }: { url: string; host: string | undefined; entry: Entry },
    { reqid, cancel }: Pick<RequestContext, 'reqid' | 'cancel'>,
  ): Promise<FetchResult> {
    const { outbound, blobs, buckets, objects, tenants, timeoutMs, onCommit } = this.#deps;
    checkForm(outbound, url, host);
    const bucket = await buckets.owned(uid, entry.bucket);
    const party = await tenants.of(uid);
    const source = { urls: [url], host, redirects: 3, timeoutMs, tier: 'STANDARD', party } as const;
    // Otherwise origins that don't answer would take every connection, including those of all other tenants.
    const giveBack = await this.#ofTenant.acquire(String(party), cancel);
    const file = await fetchFile(this.#deps, source, cancel).finally(giveBack);
    const object = describeFetched(bucket, entry.key, file);
    const commitHook = await discardBlobOnError(blobs, file, () => {
      cancel.throwIfAborted();
      return onCommit(object, reqid);
    });
    await commitFetched(objects, object, 'overwrite', 'fetch', commitHook);
    return resultOf(object);
  }
}

export function resultOf({ file, key, mimeType }: FetchedObject): FetchResult {
  return { fsize: file.size, hash: file.hash, key, mimeType };
}
