/** Takes the list back to where it was, after a reload and when one comes back to a folder. */
import { useEffect, useRef } from 'react';
import { readHistoryState, saveHistoryState } from '../../lib/kept.ts';
import type { Listing, ListingState } from './listing.ts';

const KEPT_MS = 400;
/** Further down, the list begins at the row instead of being read up to it. */
const MOST_READ = 20_000;

interface Kept {
  readonly first: number;
  readonly name: string;
}

export function useScrollRestore({
  place,
  opened,
  listing,
  state,
  nameAt,
  show,
  startAt,
}: {
  /** Changes with the folder and whatever else makes it another list. */
  readonly place: string;
  /** The object that is open: it makes another place in the history, where the same is kept. */
  readonly opened: string | undefined;
  readonly listing: Listing | undefined;
  readonly state: ListingState;
  readonly nameAt: (index: number) => string | undefined;
  /** Puts a row at the top. */
  readonly show: (index: number) => void;
  readonly startAt: (name: string) => void;
}): (first: number) => void {
  const at = useRef<string>(undefined);
  const wanted = useRef<number>(undefined);
  const first = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ nameAt, show, startAt });
  latest.current = { nameAt, show, startAt };
  useEffect(() => {
    if (listing === undefined || at.current === place) return;
    at.current = place;
    first.current = 0;
    const kept = readHistoryState().scrolled as Kept | undefined;
    if (kept === undefined || kept.first === 0) wanted.current = undefined;
    else if (kept.first <= MOST_READ) wanted.current = kept.first;
    else latest.current.startAt(kept.name);
  }, [listing, place]);
  const { count, isReading, isWhole } = state;
  useEffect(() => {
    const { current: index } = wanted;
    if (index === undefined || listing === undefined) return;
    if (count > index || isWhole) {
      wanted.current = undefined;
      latest.current.show(index);
    } else if (!isReading) void listing.readTo(index + 1);
  }, [listing, count, isReading, isWhole]);
  const keep = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (wanted.current !== undefined) return;
      const name = latest.current.nameAt(first.current);
      saveHistoryState({ scrolled: name === undefined ? undefined : { first: first.current, name } });
    }, KEPT_MS);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: kept anew with each place in the history
  useEffect(() => {
    keep();
    return () => clearTimeout(timer.current);
  }, [place, opened]);
  return (row) => {
    if (row === first.current) return;
    first.current = row;
    keep();
  };
}
