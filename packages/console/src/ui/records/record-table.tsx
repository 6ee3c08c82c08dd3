/**
 * The table of records of all screens: typed columns, sorting, a selection, and what is shown while the records are loading, when
 * there are none, and when they can't be read. Lists that come page by page are read on with a button.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../button.tsx';
import { Failure } from '../failure.tsx';
import { hasValue, type RecordColumn, recordText, recordTooltip } from './record-column.ts';
import { toggleAll, toggleRow } from './record-selection.ts';
import { nextSort, type RecordSort, sortRecords } from './record-sort.ts';
import styles from './record-table.module.css';

/** Where the records come from: what `useQuery` or `useInfiniteQuery` returns. */
export interface RecordQuery {
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

export interface RecordSelection<Row> {
  /** Keys of rows. */
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** The names of a row's checkbox, and of the one for all rows. */
  readonly label: (row: Row) => string;
  readonly allLabel: string;
  readonly max?: number | undefined;
}

export interface RecordTableProps<Row> {
  /** What screen readers call the table. */
  readonly label: string;
  readonly columns: readonly RecordColumn<Row>[];
  /** In the order of the server. Absent while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly query?: RecordQuery | undefined;
  /** What a failure of the query is called; the reason follows. */
  readonly failure?: string | undefined;
  /** What the button that reads the next page is called, if not "Show more". */
  readonly more?: string | undefined;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
  readonly selection?: RecordSelection<Row> | undefined;
  /** The key of the row that another part of the screen shows. */
  readonly currentKey?: string | undefined;
  /** `client`: by each column that has a value; only for lists that don't come page by page. */
  readonly sorting?: 'client' | undefined;
  /** `inset`: from edge to edge, with the text as far in as the rest of the screen. `scroll`: a region that is scrolled by keys, too. */
  readonly frame?: 'inset' | 'scroll' | undefined;
  /** Headers are for screen readers only. */
  readonly headers?: 'hidden' | undefined;
  readonly className?: string | undefined;
}

export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { label, columns, rows, query, failure, more, empty, frame } = props;
  const say = useTranslations('common');
  const [sort, setSort] = useState<RecordSort>();
  const error = query?.error ?? null;
  const table = rows !== undefined && rows.length > 0 && (
    <Table {...props} rows={sortRecords(rows, sort, columns)} sort={sort} onSort={setSort} />
  );
  return (
    <div className={frame === 'inset' ? styles.inset : styles.records}>
      {error !== null && <Failure error={error} what={failure} again={() => void query?.refetch()} />}
      {rows === undefined && error === null && <Loading label={label} />}
      {rows?.length === 0 && empty}
      {frame === 'scroll' && table !== false ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it
        <section className="scroll" tabIndex={0} aria-label={label}>
          {table}
        </section>
      ) : (
        table
      )}
      {query?.hasNextPage === true && (
        <div className={styles.more}>
          <Button waits={query.isFetchingNextPage} onClick={() => void query.fetchNextPage?.()}>
            {more ?? say('table.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface SortState {
  readonly sort: RecordSort | undefined;
  readonly onSort: (sort: RecordSort) => void;
}

function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  sorting,
  sort,
  onSort,
  selection,
  currentKey,
  headers,
  className = '',
}: RecordTableProps<Row> & SortState & { readonly rows: readonly Row[] }) {
  const keys = rows.map(rowKey);
  // From here a click with Shift selects a range.
  const anchor = useRef<string>(undefined);
  return (
    <table
      className={`table ${headers === 'hidden' ? styles.withoutHeaders : ''} ${className}`}
      aria-label={label}
    >
      <thead>
        <tr>
          {selection !== undefined && (
            <th scope="col" className={styles.checkColumn}>
              <AllCheckbox keys={keys} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <Header
              key={column.id}
              column={column}
              headers={headers}
              sorting={sorting}
              sort={sort}
              onSort={onSort}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const key = keys[index] ?? '';
          const isCurrent = currentKey === undefined ? undefined : key === currentKey;
          return (
            <tr key={key} aria-selected={selection?.selected.has(key) ?? isCurrent}>
              {selection !== undefined && (
                <td>
                  <input
                    type="checkbox"
                    className="check"
                    aria-label={selection.label(row)}
                    checked={selection.selected.has(key)}
                    onChange={({ nativeEvent }) => {
                      const { selected, max } = selection;
                      const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
                      const from = isRange ? anchor.current : undefined;
                      selection.onChange(toggleRow({ keys, selected, key, anchor: from, max }));
                      anchor.current = key;
                    }}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Header<Row>({
  column,
  headers,
  sorting,
  sort,
  onSort,
}: Pick<RecordTableProps<Row>, 'headers' | 'sorting'> & SortState & { readonly column: RecordColumn<Row> }) {
  const { id, header, width, kind = 'text' } = column;
  const direction = sort?.column === id ? sort.direction : undefined;
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={classNames(kind === 'code' ? undefined : KIND_CLASSES[kind], classOf(column))}
      style={{ width }}
      aria-sort={direction}
    >
      {kind === 'actions' || headers === 'hidden' ? (
        <span className="visually-hidden">{header}</span>
      ) : sorting === undefined || !hasValue(column) ? (
        header
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
          {header}
          {direction !== undefined && <Arrow className="icon" aria-hidden />}
        </button>
      )}
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: RecordColumn<Row>; readonly row: Row }) {
  const { kind = 'text', tone, onPhone, header, cell } = column;
  return (
    <td
      className={classNames(KIND_CLASSES[kind], tone, classOf(column))}
      title={recordTooltip(column, row)}
      data-label={onPhone === 'labelled' ? header : undefined}
    >
      {cell === undefined ? recordText(column, row) : cell(row)}
    </td>
  );
}

function AllCheckbox<Row>({
  keys,
  selection: { selected, onChange, allLabel, max },
}: {
  readonly keys: readonly string[];
  readonly selection: RecordSelection<Row>;
}) {
  const count = keys.filter((key) => selected.has(key)).length;
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={allLabel}
      checked={count === keys.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < keys.length;
      }}
      onChange={() => onChange(toggleAll(keys, selected, max))}
    />
  );
}

function Loading({ label }: { readonly label: string }) {
  const say = useTranslations('common');
  return (
    <div className={styles.loading} role="status" aria-label={say('table.waiting', { label })}>
      {[42, 30, 55, 36].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

const KIND_CLASSES = {
  text: undefined,
  number: 'numeric',
  time: 'tabular',
  code: 'mono',
  actions: 'actions',
} as const;

function classOf<Row>({ onPhone, className }: RecordColumn<Row>): string {
  return classNames(onPhone === 'hidden' ? 'desktop-only' : undefined, className);
}

function classNames(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(' ');
}
