/**
 * A table of records: typed columns, sorting, a selection, and what is shown while they are read, when there are none, and when
 * they can't be read. Longer lists are read on with a button.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../button.tsx';
import { Failure } from '../failure.tsx';
import { chooseAll, chooseOne, nextSort, type RecordSort } from './record-order.ts';
import styles from './record-table.module.css';

export interface RecordColumn<Row> {
  readonly id: string;
  /** Its head. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Pixels, or a share such as `34%`. Columns without one share the rest. */
  readonly width?: number | string | undefined;
  /** `number`: at the right, in figures of one width. `actions`: buttons, whose head only screen readers have. */
  readonly kind?: 'number' | 'actions' | undefined;
  /** Phones have no room for it. */
  readonly isWideOnly?: boolean | undefined;
  /** Shown on hover: the whole of what is cut off, or the exact value. */
  readonly hover?: ((row: Row) => string | undefined) | undefined;
  /** By what its rows are compared. Without it nobody can sort by the column. */
  readonly sortBy?: ((row: Row) => string | number | undefined) | undefined;
  /** The title before the value, where a phone shows a record as lines. */
  readonly isLabelled?: boolean | undefined;
  /** Of its head and its cells. */
  readonly className?: string | undefined;
  readonly cellClassName?: string | undefined;
}

export interface RecordSelection<Row> {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
  /** What a checkbox is called, and the one for all of them. */
  readonly label: (row: Row) => string;
  readonly allLabel: string;
  /** As many as may be chosen at once. */
  readonly max?: number | undefined;
}

export interface RecordTableProps<Row> {
  /** What it is a table of, for screen readers. */
  readonly label: string;
  readonly columns: readonly RecordColumn<Row>[];
  /** In the order in which they are shown. Absent: they are being read. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Why they, or the newest of them, could not be read. */
  readonly failure?:
    | { readonly error: Error | null; readonly what: string; readonly again: () => unknown }
    | undefined;
  /** Instead of a table without rows. */
  readonly empty?: ReactNode;
  readonly sort?: RecordSort | undefined;
  readonly onSort?: ((sort: RecordSort) => void) | undefined;
  readonly selection?: RecordSelection<Row> | undefined;
  /** Absent: all of them are there. */
  readonly more?:
    | { readonly label: string; readonly isPending: boolean; readonly read: () => unknown }
    | undefined;
  /** The row that another part of the screen is about. */
  readonly isCurrent?: ((row: Row) => boolean) | undefined;
  readonly rowClassName?: string | undefined;
  readonly className?: string | undefined;
}

export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { rows, failure, empty, more } = props;
  return (
    <>
      {failure !== undefined && failure.error !== null && (
        <Failure error={failure.error} what={failure.what} again={() => void failure.again()} />
      )}
      {rows === undefined && (failure?.error ?? null) === null && <Waiting label={props.label} />}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && <Table {...props} rows={rows} />}
      {more !== undefined && (
        <div className={styles.more}>
          <Button waits={more.isPending} onClick={() => void more.read()}>
            {more.label}
          </Button>
        </div>
      )}
    </>
  );
}

function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  sort,
  onSort,
  selection,
  isCurrent,
  rowClassName,
  className = '',
}: RecordTableProps<Row> & { readonly rows: readonly Row[] }) {
  const keys = rows.map(keyOf);
  // From here a click with Shift chooses a range.
  const anchor = useRef<string>(undefined);
  return (
    <table className={`table ${className}`} aria-label={label}>
      <thead>
        <tr>
          {selection !== undefined && (
            <th scope="col" className={styles.checkColumn}>
              <AllCheckbox keys={keys} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => {
          const key = keys[at] ?? '';
          const isChosen = selection?.chosen.has(key);
          return (
            <tr key={key} className={rowClassName} aria-selected={isChosen ?? isCurrent?.(row)}>
              {selection !== undefined && (
                <td>
                  <input
                    type="checkbox"
                    className="check"
                    aria-label={selection.label(row)}
                    checked={isChosen}
                    onChange={({ nativeEvent }) => {
                      const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
                      const from = isRange ? anchor.current : undefined;
                      selection.choose(
                        chooseOne({ keys, chosen: selection.chosen, key, from, max: selection.max }),
                      );
                      anchor.current = key;
                    }}
                  />
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={`${classOf(column)} ${column.cellClassName ?? ''}`}
                  title={column.hover?.(row)}
                  data-label={column.isLabelled === true ? column.title : undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: RecordColumn<Row>;
  readonly sort: RecordSort | undefined;
  readonly onSort: ((sort: RecordSort) => void) | undefined;
}) {
  const { id, title, width, kind, sortBy } = column;
  const isSorted = sort?.column === id;
  const Arrow = sort?.isDescending === true ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={classOf(column)}
      style={width === undefined ? undefined : { width }}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {kind === 'actions' ? (
        <span className="visually-hidden">{title}</span>
      ) : sortBy === undefined || onSort === undefined ? (
        title
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
          {title}
          {isSorted && <Arrow className="icon" aria-hidden />}
        </button>
      )}
    </th>
  );
}

function AllCheckbox<Row>({
  keys,
  selection: { chosen, choose, allLabel, max },
}: {
  readonly keys: readonly string[];
  readonly selection: RecordSelection<Row>;
}) {
  const count = keys.filter((key) => chosen.has(key)).length;
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={allLabel}
      checked={count === keys.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < keys.length;
      }}
      onChange={() => choose(chooseAll(keys, chosen, max))}
    />
  );
}

function Waiting({ label }: { readonly label: string }) {
  const say = useTranslations('common');
  return (
    <div className={styles.waiting} role="status" aria-label={say('table.waiting', { label })}>
      {[42, 30, 55, 36].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

function classOf<Row>({ kind, isWideOnly, className }: RecordColumn<Row>): string {
  return [kind === 'number' ? 'numeric' : kind, isWideOnly === true ? 'desktop-only' : undefined, className]
    .filter((name) => name !== undefined)
    .join(' ');
}
