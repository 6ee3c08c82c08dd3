/**
 * The objects below a place, in the order of keys. Page by page, prefetching the next one: a stream would be held open
 * as long as the copies take, which may be hours.
 */
import type { Client, ObjectPage } from '@millpond/client/server';
import { folderPrefix, formatRemote, type RemoteLocation } from '../remote/location.ts';
import { prefixNotFound } from '../report.ts';
import type { ObjectEntry } from './entry.ts';
import type { FilterRules } from './rules.ts';

export interface RemoteList {
  readonly rules: FilterRules;
  readonly signal: AbortSignal;
}

export async function* remoteEntries(
  client: Client,
  place: RemoteLocation,
  { rules, signal }: RemoteList,
): AsyncGenerator<ObjectEntry> {
  const { bucket } = place;
  const prefix = folderPrefix(place.key);
  const ask = (marker?: string): Promise<ObjectPage> => {
    const page = client.objects.page(bucket, { prefix, marker, signal });
    // A consumer that stops early has no use for it.
    page.catch(() => undefined);
    return page;
  };
  try {
    for (let next: Promise<ObjectPage> | undefined = ask(); next !== undefined; ) {
      const { items, marker }: ObjectPage = await next;
      next = marker === undefined ? undefined : ask(marker);
      for (const object of items) {
        const name = object.key.slice(prefix.length);
        if (rules.takes(name)) yield { kind: 'object', name, size: object.fsize, object };
      }
    }
  } catch (error) {
    throw prefixNotFound(formatRemote({ ...place, key: '' }), error);
  }
}
