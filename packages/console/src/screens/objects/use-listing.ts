/** The list of a folder, kept while it is shown; read anew, in place, when something in the bucket changed. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../app/session-context.tsx';
import type { StorageClass } from '../../ui/depth.tsx';
import { onBucketChanged } from './changes.ts';
import { Listing, type ListingState } from './listing.ts';
import { markerBefore } from './start.ts';

const MOST_IN_PLACE = 5_000;
const RENEWED_MS = 1_000;
const NONE: ListingState = new Listing(() => Promise.reject(new Error('not asked'))).state();

export interface LoadedListing {
  readonly listing: Listing | undefined;
  readonly state: ListingState;
}

export interface ListingQuery {
  readonly bucket: string;
  readonly prefix: string;
  /** Only names that begin so. */
  readonly begins: string;
  /** The first name; those before it are not read. */
  readonly from: string;
  /** Only objects of this class, and folders. */
  readonly type: StorageClass | undefined;
}

export function useListing({ bucket, prefix, begins, from, type }: ListingQuery): LoadedListing {
  const client = useClient();
  const [listing, setListing] = useState<Listing>();
  useEffect(() => {
    const made = () =>
      new Listing(
        (marker, limit, signal) =>
          client.objects.part(bucket, { prefix: prefix + begins, delimiter: '/', marker, limit, signal }),
        {
          from: from === '' ? undefined : markerBefore(prefix + from),
          ...(type === undefined ? {} : { wanted: (row) => row.kind === 'folder' || row.type === type }),
        },
      );
    let current = made();
    let isOver = false;
    setListing(current);
    void current.begin();
    const renew = async () => {
      const next = made();
      await next.readTo(Math.min(current.state().count, MOST_IN_PLACE));
      if (isOver) return next.end();
      current.end();
      current = next;
      setListing(next);
    };
    // The first change is seen at once; a thousand uploads are not a thousand lists.
    let last = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = onBucketChanged((name) => {
      if (name !== bucket || timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          void renew();
        },
        Math.max(0, last + RENEWED_MS - performance.now()),
      );
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      forget();
      current.end();
    };
  }, [client, bucket, prefix, begins, from, type]);
  const state = useSyncExternalStore(listing?.subscribe ?? nothing, listing?.state ?? none);
  return { listing, state };
}

const nothing = () => () => {};
const none = () => NONE;
