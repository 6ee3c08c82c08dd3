/**
 * Which client can have the server itself copy an object, so that no byte passes through here. Two aliases may be one
 * installation under different addresses or with different keys. We find out by asking the target: if its key finds the
 * source's object there, with the same hash and the same time, a copy made there is a copy of it.
 */
import { MillpondError } from '@millpond/client';
import type { Client, ObjectRecord } from '@millpond/client/server';
import type { Installations } from '../remote/installation.ts';
import type { RemoteLocation } from '../remote/location.ts';

export class ServerCopyRoutes {
  readonly #installations: Installations;
  readonly #signal: AbortSignal;
  /** Results so far, by source bucket and target. */
  readonly #known = new Map<string, boolean>();

  constructor(installations: Installations, signal: AbortSignal) {
    this.#installations = installations;
    this.#signal = signal;
  }

  /** Undefined: the bytes have to pass through here. */
  async serverFor(
    from: RemoteLocation,
    to: RemoteLocation,
    object?: Pick<ObjectRecord, 'hash' | 'fsize' | 'putTime'>,
  ): Promise<Client | undefined> {
    const installations = this.#installations;
    const isOneAddress = installations.isOneAddress(from.alias, to.alias);
    const client = installations.client(to.alias);
    if (isOneAddress && installations.isOneKey(from.alias, to.alias)) return client;
    const known = this.#known.get(wayOf(from, to));
    if (known === false) return undefined;
    if (known === true && isOneAddress) return client;
    const signal = this.#signal;
    const own =
      object ?? (await installations.client(from.alias).objects.stat(from.bucket, from.key, { signal }));
    const isThere = await seenBy(client, from, own, signal);
    if (known === undefined) this.#known.set(wayOf(from, to), isThere);
    return isThere ? client : undefined;
  }

  /** The target's key lacks the permission after all. */
  refused(from: RemoteLocation, to: RemoteLocation): void {
    this.#known.set(wayOf(from, to), false);
  }
}

function wayOf(from: RemoteLocation, to: RemoteLocation): string {
  return JSON.stringify([from.alias, from.bucket, to.alias]);
}

async function seenBy(
  client: Client,
  { bucket, key }: RemoteLocation,
  own: Pick<ObjectRecord, 'hash' | 'fsize' | 'putTime'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { hash, fsize, putTime } = await client.objects.stat(bucket, key, { signal });
    return hash === own.hash && fsize === own.fsize && putTime === own.putTime;
  } catch (error) {
    if (error instanceof MillpondError && error.status >= 400 && !signal.aborted) return false;
    throw error;
  }
}
