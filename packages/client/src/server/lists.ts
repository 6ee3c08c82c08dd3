/** Lists of objects: as a stream of all of them, which needs memory for one line, or page by page. */
import { type Dialect, dialects } from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import { mayRetry, pause } from '../core/retry.ts';
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { type ListEntry, type ListedObject, withMetadata } from './records.ts';

export interface ListOptions extends CallOptions {
  readonly prefix?: string | undefined;
  /** Keys that continue after it are shown as one common prefix. */
  readonly delimiter?: string | undefined;
  /** Continues after this place. */
  readonly marker?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ObjectPage {
  readonly items: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** Undefined: that was the last page. */
  readonly marker: string | undefined;
}

/** Some entries, objects and common prefixes in one order. */
export interface ObjectListChunk {
  readonly entries: readonly ListEntry[];
  /** Undefined: there is nothing after them. */
  readonly marker: string | undefined;
}

interface ListLine {
  readonly item: Record<string, unknown> | null;
  readonly dir: string;
  readonly marker: string;
}

const MAX_INTERRUPTIONS = 6;

/** As they arrive, several at a time: yielding one at a time costs a turn of the event loop each. */
export async function* listObjects(
  caller: Caller,
  bucket: string,
  options: ListOptions,
): AsyncGenerator<readonly ListEntry[], void> {
  const dialect = dialects[caller.options.dialect];
  const { prefix, delimiter, signal } = options;
  let [marker, given, broken] = [options.marker, 0, 0];
  for (;;) {
    const limit = options.limit === undefined ? undefined : options.limit - given;
    if (limit !== undefined && limit <= 0) return;
    const target = `/v2/list${queryText({ bucket, prefix, delimiter, marker, limit })}`;
    const answer = await caller.open({ role: 'rsf', method: 'GET', target, signal });
    try {
      for await (const texts of linesOf(answer.chunks())) {
        const entries: ListEntry[] = [];
        for (const text of texts) {
          const listLine = JSON.parse(text) as ListLine;
          entries.push(entryOf(listLine, text, dialect));
          marker = listLine.marker;
        }
        given += entries.length;
        broken = 0;
        yield entries;
      }
      return;
    } catch (error) {
      if (++broken > MAX_INTERRUPTIONS || signal?.aborted || !mayRetry(error, true)) throw error;
      await pause(100 * 2 ** broken, signal);
    } finally {
      answer.discard();
    }
  }
}

/** At most `limit` entries, which must be given, and the marker after them. */
export async function partOf(
  caller: Caller,
  bucket: string,
  { prefix, delimiter, marker, limit, signal }: ListOptions & { readonly limit: number },
): Promise<ObjectListChunk> {
  const dialect = dialects[caller.options.dialect];
  const target = `/v2/list${queryText({ bucket, prefix, delimiter, marker, limit })}`;
  const answer = await caller.open({ role: 'rsf', method: 'GET', target, signal });
  const entries: ListEntry[] = [];
  let last: string | undefined;
  try {
    for await (const texts of linesOf(answer.chunks())) {
      for (const text of texts) {
        const listLine = JSON.parse(text) as ListLine;
        entries.push(entryOf(listLine, text, dialect));
        last = listLine.marker;
      }
    }
  } finally {
    answer.discard();
  }
  return { entries, marker: entries.length < limit || last === '' ? undefined : last };
}

export async function pageOf(caller: Caller, bucket: string, options: ListOptions): Promise<ObjectPage> {
  const { prefix, delimiter, marker, limit, signal } = options;
  const page = await caller.json<{
    items: Record<string, unknown>[];
    commonPrefixes?: string[];
    marker?: string;
  }>({
    role: 'rsf',
    method: 'GET',
    target: `/list${queryText({ bucket, prefix, delimiter, marker, limit })}`,
    signal,
  });
  const dialect = dialects[caller.options.dialect];
  return {
    items: page.items.map((item) => withMetadata<ListedObject>(item, dialect)),
    commonPrefixes: page.commonPrefixes ?? [],
    marker: page.marker === undefined || page.marker === '' ? undefined : page.marker,
  };
}

function entryOf({ item, dir }: ListLine, text: string, dialect: Dialect): ListEntry {
  if (item === null) return { dir };
  item.putTime = putTimeIn(text);
  return { item: withMetadata<ListedObject>(item, dialect) };
}

/** Inside a string a quote is escaped, so this finds the field itself; other values of that name are strings. */
function putTimeIn(text: string): bigint {
  return BigInt(/"putTime":(\d+)/.exec(text)?.[1] ?? 0);
}

/** Whole lines. An end in the middle of a line is a broken connection. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines.filter((line) => line !== '');
  }
  if (rest !== '') throw new MillpondError('network', 'the list ended early');
}
