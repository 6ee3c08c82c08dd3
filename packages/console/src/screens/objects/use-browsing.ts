/** What one does in the list: the row that one is at, what is chosen, the keys, and what of it is kept with the address. */
import { useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { readHistoryState, saveHistoryState } from '../../lib/kept.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { folderAddress } from './address.ts';
import type { ObjectRow } from './listing.ts';
import type { RowActions } from './object-row.tsx';
import type { Ordered } from './order.ts';
import { all, extended, NOTHING, type Selection, toggled } from './selection.ts';
import type { Scrolled } from './use-scrolled.ts';

interface Place {
  readonly bucket: string;
  readonly prefix: string;
  /** The object that is open. */
  readonly openName: string | undefined;
  readonly order: Ordered;
  readonly rows: number;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** More of them are chosen anew after a reload: a browser's history is no place for megabytes. */
const MOST_KEPT = 500;
const KEPT_MS = 400;
const PAGE = 15;

export function useBrowsing(place: Place) {
  const { bucket, prefix, openName } = place;
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const moves = useRef<Scrolled['show'] | null>(null);
  const [current, setCurrent] = useState<number>();
  const [selection, select] = useSelection(`${bucket}/${prefix}`, openName);
  const first = useRef(0);
  const latest = useRef({ place, current, selection });
  latest.current = { place, current, selection };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder begins at its top
  useEffect(() => setCurrent(undefined), [bucket, prefix]);

  const open = useCallback(
    (index: number) => {
      const { order, prefix: folder, bucket: name } = latest.current.place;
      const row = order.rowAt(index);
      if (row === undefined) return;
      setCurrent(index);
      void navigate(
        row.kind === 'folder'
          ? { ...folderAddress(name, row.key), search: ({ account }) => ({ account }) }
          : {
              to: '.',
              search: (was) => ({ ...was, key: row.key.slice(folder.length) }),
              replace: latest.current.place.openName !== undefined,
            },
      );
    },
    [navigate],
  );
  const close = useCallback(() => {
    void navigate({ to: '.', search: (was) => ({ ...was, key: undefined }) });
    element.current?.focus();
  }, [navigate]);
  const choose = useCallback(
    (index: number, isRange: boolean) => {
      const { order } = latest.current.place;
      const objectAt = (at: number): ObjectRow | undefined => {
        const row = order.rowAt(at);
        return row?.kind === 'object' ? row : undefined;
      };
      const row = objectAt(index);
      setCurrent(index);
      if (row === undefined) return;
      select((was) => (isRange ? extended(was, index, objectAt) : toggled(was, row, index)));
    },
    [select],
  );
  const acts = useMemo<RowActions>(
    () => ({
      choose,
      open(index, event: MouseEvent) {
        const isLink = event.target instanceof Element && event.target.closest('a') !== null;
        if (isLink && (event.ctrlKey || event.metaKey || event.button !== 0)) return;
        event.preventDefault();
        if (event.shiftKey || event.ctrlKey || event.metaKey) choose(index, event.shiftKey);
        else open(index);
      },
    }),
    [choose, open],
  );
  const moveTo = (index: number) => {
    const kept = Math.max(0, Math.min(place.rows - 1, index));
    if (place.rows === 0) return;
    setCurrent(kept);
    moves.current?.(kept);
    // The panel follows.
    if (openName !== undefined && place.order.rowAt(kept)?.kind === 'object') open(kept);
  };
  const step = (by: number) => moveTo(current === undefined ? (by > 0 ? first.current : 0) : current + by);
  const onKey = (event: KeyboardEvent) => {
    const act = new Map<string, () => void>([
      ['ArrowDown', () => step(1)],
      ['ArrowUp', () => step(-1)],
      ['PageDown', () => step(PAGE)],
      ['PageUp', () => step(-PAGE)],
      ['Home', () => moveTo(0)],
      ['End', () => moveTo(place.rows - 1)],
      ['Enter', () => current !== undefined && open(current)],
      [' ', () => current !== undefined && choose(current, event.shiftKey)],
    ]).get(event.key);
    if (act === undefined || (event.target !== event.currentTarget && event.key === ' ')) return;
    event.preventDefault();
    act();
  };
  const leave = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[role=dialog],[role=menu]') !== null) return;
    if (openName !== undefined) close();
    else select(NOTHING);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: (event) => current !== undefined && choose(current, event.shiftKey),
    '/': () => place.field.current?.focus(),
    'mod+a': (event) => {
      if (event.target === element.current) select(all);
    },
    Escape: leave,
  });
  const onView = (index: number) => {
    first.current = index;
  };
  return { element, moves, current, selection, select, acts, close, onKey, onView };
}

/** Of this folder, there again after a reload and when one comes back. */
function useSelection(folder: string, openName: string | undefined) {
  const [kept, setKept] = useState(() => ({ folder, selection: restored() }));
  if (kept.folder !== folder) setKept({ folder, selection: restored() });
  const { selection } = kept;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an object that is opened is a place in the history of its own
  useEffect(() => {
    const timer = setTimeout(() => {
      const { isAll, chosen } = selection;
      saveHistoryState({
        selection: chosen.size > MOST_KEPT ? undefined : { isAll, chosen: [...chosen.values()] },
      });
    }, KEPT_MS);
    return () => clearTimeout(timer);
  }, [selection, openName]);
  const select = useCallback(
    (next: Selection | ((was: Selection) => Selection)) =>
      setKept((was) => ({ ...was, selection: typeof next === 'function' ? next(was.selection) : next })),
    [],
  );
  return [selection, select] as const;
}

function restored(): Selection {
  const { selection } = readHistoryState() as { selection?: { isAll: boolean; chosen: ObjectRow[] } };
  if (selection === undefined) return NOTHING;
  return {
    ...NOTHING,
    isAll: selection.isAll,
    chosen: new Map(selection.chosen.map((row) => [row.key, row])),
  };
}
