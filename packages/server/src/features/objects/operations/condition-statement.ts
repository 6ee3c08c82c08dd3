/** A condition on an object as a piece of a statement: true where none of its fields is set, or all hold. */
import type { Condition } from '@millpond/protocol';

/** On the columns of a row, with four values from `$<first>` on. */
export function conditionHolds(first: number): string {
  const field = (column: string, at: number, type: string) => {
    const value = `$${first + at}::${type}`;
    return `(${value} IS NULL OR ${column} = ${value})`;
  };
  return [
    field('hash', 0, 'text'),
    field('mime_type', 1, 'text'),
    field('fsize', 2, 'bigint'),
    field('put_time', 3, 'bigint'),
  ].join(' AND ');
}

export function conditionValues(condition: Condition): (string | bigint | null)[] {
  return [condition.hash ?? null, condition.mime ?? null, condition.fsize ?? null, condition.putTime ?? null];
}
