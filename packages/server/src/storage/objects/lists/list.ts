/** Lists of a bucket's objects in byte order of their keys: by prefix, grouped by delimiter, page by page. */
import {
  checkKey,
  type Dialect,
  decodeListMarker,
  encodeListMarker,
  Fault,
  type WirePage,
} from '@millpond/protocol';
import type { Bucket } from '../../buckets/index.ts';
import { type ListedRow, listedRecord } from '../record.ts';
import { endOfPrefix, firstAfterPrefix } from './key-ranges.ts';
import type { GroupedRow, ListStore } from './list.store.ts';

/** Rows per page of a stream. It holds two pages at a time: one being sent, one being read. */
const STREAM_PAGE = 1000;
const GROUPED_STREAM_PAGE = 500;
/** Lines per piece of text: a whole page as one string is a large object to the garbage collector and lives longer. */
const PIECE_LINES = 100;

export interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly marker: string;
  readonly limit: number;
}

export type ListPage = WirePage<'ListedObject'> & { readonly commonPrefixes?: readonly string[] | undefined };

export class Lists {
  readonly #store: ListStore;
  readonly #dialect: Dialect;

  constructor(store: ListStore, dialect: Dialect) {
    this.#store = store;
    this.#dialect = dialect;
  }

  async page(bucket: Bucket, query: ListQuery, cancel: AbortSignal): Promise<ListPage> {
    checkKey(query.prefix);
    const rows = await this.#rows(bucket, query, cancel);
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    const prefixes = shown.map((row) => commonPrefix(row)).filter((prefix) => prefix !== undefined);
    return {
      marker:
        rows.length > query.limit && last ? encodeListMarker(commonPrefix(last) ?? last.key) : undefined,
      commonPrefixes: prefixes.length > 0 ? prefixes : undefined,
      items: shown
        .filter((row) => commonPrefix(row) === undefined)
        .map((row) => listedRecord(row, this.#dialect)),
    };
  }

  /**
   * The whole list, as pieces made of lines `{"item":…,"dir":…,"marker":…}`; each line's marker is where a list continues
   * after it. Reads page by page: it holds no connection and no snapshot, however slow the reader is.
   */
  async *lines(bucket: Bucket, query: ListQuery, cancel: AbortSignal): AsyncGenerator<string, void> {
    checkKey(query.prefix);
    const perPage = query.delimiter === '' ? STREAM_PAGE : GROUPED_STREAM_PAGE;
    let { marker, limit } = query;
    const read = () => this.#rows(bucket, { ...query, marker, limit: Math.min(limit, perPage) }, cancel);
    let reading = limit > 0 ? read() : undefined;
    while (reading !== undefined) {
      const rows = await reading;
      const shown = rows.slice(0, Math.min(limit, perPage));
      const last = shown.at(-1);
      limit -= shown.length;
      reading = undefined;
      if (last !== undefined && rows.length > shown.length && limit > 0) {
        marker = encodeListMarker(commonPrefix(last) ?? last.key);
        reading = read();
        // Awaited above; until then a failure must not count as an unhandled rejection.
        reading.catch(() => undefined);
      }
      for (let at = 0; at < shown.length; at += PIECE_LINES)
        yield this.#linesOf(shown.slice(at, at + PIECE_LINES));
    }
  }

  #linesOf(rows: readonly (ListedRow | GroupedRow)[]): string {
    let text = '';
    for (const row of rows) {
      const dir = commonPrefix(row);
      const item = dir === undefined ? listedRecord(row, this.#dialect) : null;
      const name = JSON.stringify(dir ?? '');
      text += `{"item":${JSON.stringify(item)},"dir":${name},"marker":"${markerOfLine(dir ?? row.key)}"}\n`;
    }
    return text;
  }

  /** One row more than requested tells whether there is another page. */
  #rows(bucket: Bucket, query: ListQuery, cancel: AbortSignal): Promise<(ListedRow | GroupedRow)[]> {
    const { prefix, delimiter } = query;
    const after = decodeListMarker(query.marker);
    const range = {
      bucketId: bucket.id,
      from: startAfter(after, query),
      until: endOfPrefix(prefix),
      limit: query.limit + 1,
    };
    if (delimiter === '') return this.#store.page(range, cancel);
    const afterDelimiter = firstAfterPrefix(delimiter);
    if (afterDelimiter === undefined)
      throw new Fault('invalidArgument', { hint: 'this delimiter cannot be used' });
    return this.#store.groupedPage(range, { delimiter, afterDelimiter, prefix }, cancel);
  }
}

function commonPrefix(row: ListedRow | GroupedRow): string | undefined {
  return 'common_prefix' in row ? (row.common_prefix ?? undefined) : undefined;
}

/** The first key that may be listed after a marker; a marker that is a group's prefix skips the whole group. */
function startAfter(after: string | undefined, { prefix, delimiter }: ListQuery): string {
  if (after === undefined || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0) return prefix;
  const isGroup =
    delimiter !== '' &&
    after.endsWith(delimiter) &&
    after.indexOf(delimiter, prefix.length) === after.length - delimiter.length;
  return (isGroup ? firstAfterPrefix(after) : undefined) ?? `${after}\u0001`;
}

/** Same result as `encodeListMarker`, with Node's own encoder: every line has a marker, and there are millions of lines. */
export function markerOfLine(key: string): string {
  const text = Buffer.from(`{"c":0,"k":${JSON.stringify(key)}}`).toString('base64url');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
