/** Which page of a list, and in which order: `offset`, `line` and `sortBy`. */
import { invalidField } from './resources.fields.ts';

export interface ListQuery {
  readonly offset: number;
  readonly line: number;
  readonly isDescending: boolean;
  readonly by: 'createdAt' | 'updatedAt' | 'lastPushedAt';
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

const MAX_LINES = 1000;
const DEFAULT_LINES = 100;
/** Paging further makes the database count past everything before. */
const MAX_OFFSET = 1_000_000;
const SORT = /^(asc|desc)(?::(createdAt|updatedAt|lastPushedAt))?$/;

export function readListQuery(query: URLSearchParams): ListQuery {
  const sort = SORT.exec(query.get('sortBy') || 'desc:createdAt');
  if (sort === null)
    throw invalidField('sortBy must be asc or desc, with :createdAt, :updatedAt or :lastPushedAt');
  return {
    offset: readNumber(query, 'offset', 0, MAX_OFFSET, 0),
    line: readNumber(query, 'line', 1, MAX_LINES, DEFAULT_LINES),
    isDescending: sort[1] === 'desc',
    by: (sort[2] ?? 'createdAt') as ListQuery['by'],
  };
}

export function readNumber(
  query: URLSearchParams,
  name: string,
  least: number,
  most: number,
  fallback: number,
): number {
  const given = query.get(name) ?? '';
  if (given === '') return fallback;
  const value = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  if (value < least || value > most) throw invalidField(`${name} must be from ${least} to ${most}`);
  return value;
}
