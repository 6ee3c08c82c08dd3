/**
 * The table of records of all screens: typed columns, sorting, a selection, and what is shown while the records are loading, when
 * there are none, and when they can't be read. Lists that come page by page are read on with a button.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { number, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../button.tsx';
import { Failure } from '../failure.tsx';
import { toggleAll, toggleRow } from './record-selection.ts';
import { nextSort, type RecordSort, sortRecords } from './record-sort.ts';
import styles from './record-table.module.css';

interface ColumnBase<Row> {
  readonly id: string;
  readonly header: string;
  /** Pixels, or a share such as `34%`. Columns without one share the rest. */
  readonly width?: number | string | undefined;
  /** What is less important is less dark. */
  readonly tone?: 'soft' | 'quiet' | undefined;
  /** `labelled`: where the screen shows records as lines on a phone, the header stands before the value. */
  readonly onPhone?: 'hidden' | 'labelled' | undefined;
  /** If a cell shows more than its value as text. */
  readonly cell?: ((row: Row) => ReactNode) | undefined;
  /** If it isn't the whole of a value that is cut off or short. */
  readonly tooltip?: ((row: Row) => string | undefined) | undefined;
  /** Of its header and its cells. */
  readonly className?: string | undefined;
}

interface TextColumn<Row> extends ColumnBase<Row> {
  readonly kind?: 'text' | 'code';
  readonly value?: (row: Row) => string | number | undefined;
}

/** At the right, in figures of one width. */
interface NumberColumn<Row> extends ColumnBase<Row> {
  readonly kind: 'number';
  readonly value: (row: Row) => number | undefined;
  readonly format?: (value: number) => string;
}

/** With the time to the second as its tooltip. */
interface TimeColumn<Row> extends ColumnBase<Row> {
  readonly kind: 'time';
  readonly value: (row: Row) => string | number | undefined;
  readonly format?: (moment: string | number) => string;
}

/** Buttons, and a header for screen readers only. */
interface ActionsColumn<Row> extends ColumnBase<Row> {
  readonly kind: 'actions';
  readonly value?: never;
  readonly cell: (row: Row) => ReactNode;
}

export type RecordColumn<Row> = TextColumn<Row> | NumberColumn<Row> | TimeColumn<Row> | ActionsColumn<Row>;

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
            <Header key={column.id} {...{ column, headers, sorting, sort, onSort }} />
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
  const { id, header, width, kind = 'text', value } = column;
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
      ) : sorting === undefined || value === undefined ? (
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
  const { kind = 'text', tone, onPhone, header, cell, tooltip } = column;
  return (
    <td
      className={classNames(KIND_CLASSES[kind], tone, classOf(column))}
      title={tooltip === undefined ? fullText(column, row) : tooltip(row)}
      data-label={onPhone === 'labelled' ? header : undefined}
    >
      {cell === undefined ? textOf(column, row) : cell(row)}
    </td>
  );
}

function textOf<Row>(column: RecordColumn<Row>, row: Row): string | undefined {
  if (column.kind === 'number') return formatted(column.value(row), column.format ?? number);
  if (column.kind === 'time') return formatted(column.value(row), column.format ?? time);
  return column.value?.(row)?.toString();
}

/** Of what may be cut off, or is shortened. */
function fullText<Row>(column: RecordColumn<Row>, row: Row): string | undefined {
  if (column.kind === 'number') return undefined;
  return column.kind === 'time' ? formatted(column.value(row), time) : column.value?.(row)?.toString();
}

function formatted<Value>(value: Value | undefined, format: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : format(value);
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
