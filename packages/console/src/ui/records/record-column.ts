/** A column of a table of records: where its value comes from, how it is written, and where it has room. */
import type { ReactNode } from 'react';
import { number, time } from '../../lib/format.ts';

interface ColumnLooks<Row> {
  readonly header: string;
  /** Pixels, or a share such as `34%`. Columns without one share the rest. */
  readonly width?: number | string | undefined;
  /** What is less important is less dark. */
  readonly tone?: 'soft' | 'quiet' | undefined;
  /** `labelled`: where the screen shows records as lines on a phone, the header stands before the value. */
  readonly onPhone?: 'hidden' | 'labelled' | undefined;
  /** If it isn't the whole of a text that is cut off, or the second of a time. */
  readonly tooltip?: ((row: Row) => string | undefined) | undefined;
  /** Of its header and its cells. */
  readonly className?: string | undefined;
}

type MembersOf<Row, Value> = {
  [Name in keyof Row & string]-?: Row[Name] extends Value | undefined ? Name : never;
}[keyof Row & string];

/** The member that the column is named after, or what `value` makes of the record; `cell` may show more than that. */
type ColumnValue<Row, Value> =
  | { readonly id: MembersOf<Row, Value>; readonly value?: undefined; readonly cell?: undefined }
  | {
      readonly id: string;
      readonly value: (row: Row) => Value | undefined;
      readonly cell?: ((row: Row) => ReactNode) | undefined;
    };

/** `number`: at the right. `time`: to the second, unless `format` is shorter. `actions`: buttons, under no header that is seen. */
export type RecordColumn<Row> = ColumnLooks<Row> &
  (
    | (ColumnValue<Row, string | number> & { readonly kind?: 'text' | 'code' })
    | (ColumnValue<Row, number> & { readonly kind: 'number'; readonly format?: (value: number) => string })
    | (ColumnValue<Row, string | number> & {
        readonly kind: 'time';
        readonly format?: (moment: string | number) => string;
      })
    | {
        readonly id: string;
        readonly kind?: 'text' | 'code' | 'number' | 'actions';
        readonly value?: undefined;
        readonly format?: undefined;
        readonly cell: (row: Row) => ReactNode;
      }
  );

/** Whether rows can be compared by it. */
export function hasValue<Row>({ value, cell }: RecordColumn<Row>): boolean {
  return value !== undefined || cell === undefined;
}

export function recordValue<Row>(column: RecordColumn<Row>, row: Row): string | number | undefined {
  if (column.value !== undefined) return column.value(row);
  return column.cell === undefined ? (row[column.id as keyof Row] as string | number | undefined) : undefined;
}

export function recordText<Row>(column: RecordColumn<Row>, row: Row): string | undefined {
  const value = recordValue(column, row);
  if (value === undefined) return undefined;
  if (column.kind === 'time') return (column.format ?? time)(value);
  if (column.kind === 'number' && typeof value === 'number') return (column.format ?? number)(value);
  return String(value);
}

/** Of what may be cut off, or is shortened. */
export function recordTooltip<Row>(column: RecordColumn<Row>, row: Row): string | undefined {
  if (column.tooltip !== undefined) return column.tooltip(row);
  const value = column.kind === 'number' ? undefined : recordValue(column, row);
  if (value === undefined) return undefined;
  return column.kind === 'time' ? time(value) : String(value);
}
