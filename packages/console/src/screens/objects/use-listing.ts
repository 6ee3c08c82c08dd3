/** The list of a folder, kept while it is shown; read anew, in place, when something in the bucket changed. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { onChange } from './changes.ts';
import { Listing, type ListingState } from './listing.ts';

const MOST_IN_PLACE = 5_000;
const NONE: ListingState = new Listing(() => Promise.reject(new Error('not asked'))).state();

export interface Shown {
  readonly listing: Listing | undefined;
  readonly state: ListingState;
}

export function useListing(bucket: string, prefix: string, begins: string): Shown {
  const client = useClient();
  const [listing, setListing] = useState<Listing>();
  useEffect(() => {
    const made = () =>
      new Listing((marker, limit, signal) =>
        client.objects.part(bucket, { prefix: prefix + begins, delimiter: '/', marker, limit, signal }),
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
    const forget = onChange((name) => {
      if (name === bucket) void renew();
    });
    return () => {
      isOver = true;
      forget();
      current.end();
    };
  }, [client, bucket, prefix, begins]);
  const state = useSyncExternalStore(listing?.subscribe ?? nothing, listing?.state ?? none);
  return { listing, state };
}

const nothing = () => () => {};
const none = () => NONE;
