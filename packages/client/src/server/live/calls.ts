/** What the live calls have in common: their role, pages by offset or by marker, and changes of fields. */
import { type Caller, type CallOptions, queryText } from '../caller.ts';
import { itemsOf } from '../pages.ts';

const LINE = 1000;
const MAX_RANGE_PAGE = 100;

type Filter = Readonly<Record<string, string | number | undefined>>;

/** Fields left out stay; null resets a field as if it had never been given. */
export type FieldChanges<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null };

export class LiveCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get<T>(target: string, options: CallOptions = {}): Promise<T> {
    return this.#caller.json({ role: 'live', method: 'GET', target, ...options });
  }

  post<T>(target: string, json: unknown, options: CallOptions = {}): Promise<T> {
    return this.#caller.json({ role: 'live', target, json, ...options });
  }

  /** Harmless to repeat, with an empty answer. */
  postEmpty(target: string, options: CallOptions = {}, json: object = {}): Promise<void> {
    return this.#caller.sendEmpty({ role: 'live', target, json, repeatable: true, ...options });
  }

  change<T>(target: string, fields: object, options: CallOptions = {}): Promise<T> {
    const operations = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => (value === null ? { op: 'delete', key } : { op: 'replace', key, value }));
    return this.#caller.json({
      role: 'live',
      method: 'PATCH',
      target,
      json: { operations },
      repeatable: true,
      ...options,
    });
  }

  remove(target: string, options: CallOptions & { json?: unknown } = {}): Promise<void> {
    return this.#caller.sendEmpty({ role: 'live', method: 'DELETE', target, ...options });
  }

  /** All of a list, page by page. */
  async *list<T>(target: string, fields: Filter = {}, options: CallOptions = {}): AsyncGenerator<T, void> {
    for (let offset = 0; ; ) {
      const query = queryText({ ...fields, offset, line: LINE });
      const { items } = await this.get<{ items: T[] }>(`${target}${query}`, options);
      yield* items;
      offset += items.length;
      if (items.length < LINE) return;
    }
  }

  /** Some of a list, and how many there are. */
  page<T>(target: string, fields: Filter, options: PageOptions): Promise<ListPage<T>> {
    const { offset, limit = LINE, signal } = options;
    return this.get(`${target}${queryText({ ...fields, offset, line: limit })}`, { signal });
  }

  /** All of a time range, page by page. */
  range<T>(target: string, time: TimeRange): AsyncGenerator<T, void> {
    return itemsOf<T>((marker) => this.rangePage(target, { ...time, marker }));
  }

  rangePage<T>(
    target: string,
    { signal, isNewestFirst, limit = MAX_RANGE_PAGE, ...time }: RangePageOptions,
  ): Promise<{ items: T[]; marker?: string }> {
    const sortBy = isNewestFirst ? 'desc' : undefined;
    return this.get(`${target}${queryText({ ...time, sortBy, line: limit })}`, { signal });
  }
}

export interface PageOptions extends CallOptions {
  /** How many to skip. */
  readonly offset?: number | undefined;
  /** At most 1000. */
  readonly limit?: number | undefined;
}

export interface ListPage<T> {
  readonly items: T[];
  /** On all pages. */
  readonly total: number;
}

export interface TimeRange extends CallOptions {
  /** Unix seconds. */
  readonly start?: number;
  readonly end?: number;
  readonly isNewestFirst?: boolean;
}

export interface RangePageOptions extends TimeRange {
  /** The marker of the page before. */
  readonly marker?: string | undefined;
  /** At most 100. */
  readonly limit?: number;
}
