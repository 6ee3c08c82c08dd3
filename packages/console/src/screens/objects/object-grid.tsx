// biome-ignore-all lint/a11y/useSemanticElements: rows of a table can't be placed freely, and a list of millions must
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and the keys, for all its rows
// biome-ignore-all lint/a11y/useKeyWithClickEvents: as above
/** The list itself: only rows in view are in the document, whatever its length. */
import { defaultStringifySearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { CLASSES } from '../../ui/depth.tsx';
import { hrefOf } from './address.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { Row } from './listing.ts';
import { ObjectLine, type RowActions } from './object-row.tsx';
import styles from './objects.module.css';
import { rowsInView, rowTop, spacerHeight } from './scrolled.ts';
import { isChosen, type Selection } from './selection.ts';
import { type Scrolled, useScrolled } from './use-scrolled.ts';

export interface GridProps {
  readonly bucket: string;
  readonly prefix: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly isWhole: boolean;
  readonly rowAt: (index: number) => Row | undefined;
  readonly current: number | undefined;
  /** The key of the object whose panel is open. */
  readonly opened: string | undefined;
  readonly selection: Selection;
  readonly acts: RowActions;
  readonly sort: Column | undefined;
  readonly isDown: boolean;
  /** Undefined: the server's order is all there is. */
  readonly sortBy: ((column: Column) => void) | undefined;
  readonly onKey: (event: KeyboardEvent) => void;
  /** Called with the first and the last row in view. */
  readonly onView: (first: number, last: number) => void;
  readonly moves: RefObject<Scrolled['show'] | null>;
  readonly element: RefObject<HTMLDivElement | null>;
}

const phone = matchMedia('(max-width: 640px)');
const HEAD = 28;

export function ObjectGrid(props: GridProps) {
  const { bucket, prefix, search, rows, isWhole, rowAt, current, selection, acts, element, onView } = props;
  const say = useTranslations('objects');
  const classes = useClassNames();
  const isPhone = useSyncExternalStore(watchPhone, () => phone.matches);
  const { view, measures, show } = useScrolled(element, {
    rows,
    rowHeight: isPhone ? 60 : 32,
    head: isPhone ? 0 : HEAD,
  });
  props.moves.current = show;
  const [first, last] = rowsInView(view, measures);
  const seen = useRef(onView);
  seen.current = onView;
  useEffect(() => seen.current(first, last), [first, last]);
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  const slot = useSlots(first, last);
  const linked = useMemo(() => linksOf(bucket, prefix, search), [bucket, prefix, search]);
  return (
    <div
      ref={element}
      className={`scroll ${styles.virtualList}`}
      tabIndex={0}
      role="grid"
      aria-label={say('gridOf', { folder: `${bucket}/${prefix}` })}
      aria-rowcount={isWhole ? rows + 1 : -1}
      aria-multiselectable
      aria-activedescendant={
        current !== undefined && current >= first && current < last ? `row-${current}` : undefined
      }
      onKeyDown={props.onKey}
    >
      <Head {...props} />
      <div className={styles.spacer} role="rowgroup" style={{ height: spacerHeight(measures) }}>
        {drawn.map((index) => {
          const row = rowAt(index);
          const name = row === undefined ? '' : row.key.slice(prefix.length);
          return (
            <ObjectLine
              key={slot(index)}
              row={row}
              index={index}
              top={rowTop(index, view, measures)}
              name={name}
              hrefOf={linked}
              isCurrent={props.opened === undefined ? index === current : rowAt(index)?.key === props.opened}
              isSelected={row?.kind === 'object' && isChosen(selection, row.key)}
              acts={acts}
              say={say}
              classes={classes}
            />
          );
        })}
      </div>
    </div>
  );
}

function Head({ sort, isDown, sortBy }: GridProps) {
  const say = useTranslations('objects');
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <div role="rowgroup" className={`${styles.headRow} desktop-only`}>
      <div role="row" className={styles.listHead} aria-rowindex={1}>
        <span role="columnheader">
          <span className="visually-hidden">{say('selected')}</span>
        </span>
        {COLUMNS.map((column) => {
          const isSorted = (sort ?? 'name') === column;
          const order = isDown ? 'descending' : 'ascending';
          return (
            <span
              key={column}
              role="columnheader"
              className={column === 'size' ? 'numeric' : ''}
              aria-sort={sortBy !== undefined && isSorted ? order : undefined}
            >
              {sortBy === undefined ? (
                say(`column.${column}`)
              ) : (
                <button type="button" onClick={() => sortBy(column)}>
                  {say(`column.${column}`)}
                  {sort !== undefined && isSorted && <Arrow className="icon" aria-hidden />}
                </button>
              )}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/**
 * Which element draws which row. Rows that stay in view keep theirs; after a jump all are taken over by other rows, since
 * changing an element costs the browser far less than making one.
 */
function useSlots(first: number, last: number): (index: number) => number {
  const was = useRef({ first, last, shift: 0 });
  const { current } = was;
  const isJump = first >= current.last || last <= current.first;
  const shift = isJump ? current.shift + first - current.first : current.shift;
  was.current = { first, last, shift };
  return (index) => index - shift;
}

function linksOf(bucket: string, prefix: string, search: Readonly<Record<string, unknown>>) {
  const folderSearch = defaultStringifySearch({ account: search.account });
  return (row: Row) =>
    row.kind === 'folder'
      ? hrefOf(bucket, row.key, folderSearch)
      : hrefOf(bucket, prefix, defaultStringifySearch({ ...search, key: row.key.slice(prefix.length) }));
}

function useClassNames(): readonly string[] {
  const say = useTranslations('common');
  return useMemo(() => CLASSES.map((type) => say(`class.${type}`)), [say]);
}

function watchPhone(changed: () => void): () => void {
  phone.addEventListener('change', changed);
  return () => phone.removeEventListener('change', changed);
}
