/**
 * What a prefix contains, read from the server part by part and in its order. However many keys there are, only some parts are
 * held: of the others just the place where they begin, so that they can be read again when somebody scrolls back.
 */
import type { ListEntry, ObjectListChunk } from '@millpond/client/session';
import { dateOfPutTime } from '@millpond/protocol';

export interface ObjectRow {
  readonly kind: 'object';
  readonly key: string;
  readonly size: number;
  readonly type: 0 | 1 | 2 | 3;
  readonly mimeType: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly isDisabled: boolean;
  /** Of what is or was frozen. */
  readonly restore: 'restoring' | 'restored' | undefined;
}

export interface FolderRow {
  readonly kind: 'folder';
  readonly key: string;
}

export type Row = ObjectRow | FolderRow;

export interface ListingState {
  /** Rows that are known. */
  readonly count: number;
  /** What was read for them: more, if only some are wanted. */
  readonly read: number;
  readonly folders: number;
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly isReading: boolean;
  /** Until somebody stops it. */
  readonly isReadingOn: boolean;
  readonly error: unknown;
  /** Milliseconds that reading took so far. */
  readonly took: number;
  /** Changes whenever anything does. */
  readonly version: number;
}

/** By `restoreStatus`. */
const RESTORES = [undefined, 'restoring', 'restored'] as const;

/** Which rows are shown, of those that are read. */
type Wanted = (row: Row) => boolean;
type Read = (marker: string | undefined, limit: number, signal: AbortSignal) => Promise<ObjectListChunk>;

interface Held {
  readonly marker: string | undefined;
  readonly start: number;
  readonly length: number;
  /** Entries on the server, wanted or not. */
  readonly read: number;
  rows: readonly Row[] | undefined;
}

/** So many are read without being asked for. */
const AT_ONCE = 5_000;
/** So many are read for rows of which only some are wanted, before somebody says to go on. */
const MOST_SOUGHT = 20_000;
/** About 200,000 rows. */
const MOST_HELD = 200;

/** The first part is small, for it is on the screen sooner; the others are no larger than what a browser reads without standing still. */
function sizeOf(part: number): number {
  return part === 0 ? 200 : 1_000;
}

export class Listing {
  readonly #read: Read;
  readonly #wanted: Wanted;
  readonly #parts: Held[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #ending = new AbortController();
  readonly #rereading = new Set<Held>();
  /** Parts with rows, the one used last at the end. */
  readonly #recent = new Set<Held>();
  #next: string | undefined;
  #state: ListingState = {
    count: 0,
    read: 0,
    folders: 0,
    bytes: 0,
    isWhole: false,
    isReading: false,
    isReadingOn: false,
    error: undefined,
    took: 0,
    version: 0,
  };

  /** Begins after `from`, a marker. */
  constructor(
    read: Read,
    { wanted = () => true, from }: { wanted?: Wanted; from?: string | undefined } = {},
  ) {
    this.#read = read;
    this.#wanted = wanted;
    this.#next = from;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): ListingState => this.#state;

  /** Reads until so many rows are known, or there are no more. */
  async readTo(count: number): Promise<void> {
    if (this.#state.isReading || this.#state.isWhole || this.#ending.signal.aborted) return;
    this.#set({ isReading: true, error: undefined });
    const most = this.#state.read + MOST_SOUGHT + (Number.isFinite(count) ? count - this.#state.count : 0);
    const isEnough = () => this.#state.count >= count || this.#state.read >= most;
    try {
      do await this.#readNext();
      while (!this.#state.isWhole && (this.#state.isReadingOn || !isEnough()));
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#set({ error });
    } finally {
      this.#set({ isReading: false, isReadingOn: false });
    }
  }

  begin(): Promise<void> {
    return this.readTo(AT_ONCE);
  }

  async readOn(): Promise<void> {
    this.#set({ isReadingOn: true });
    await this.readTo(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#set({ isReadingOn: false });
  }

  end(): void {
    this.#ending.abort();
    this.#watchers.clear();
  }

  /** Undefined while it is read again. */
  row(index: number): Row | undefined {
    const part = this.#partOf(index);
    if (part === undefined) return undefined;
    if (part.rows === undefined) {
      void this.#reread(part);
      return undefined;
    }
    this.#recent.delete(part);
    this.#recent.add(part);
    return part.rows[index - part.start];
  }

  /** All rows that are held, if these are all there are. */
  whole(): Row[] | undefined {
    if (!this.#state.isWhole || this.#parts.some(({ rows }) => rows === undefined)) return undefined;
    return this.#parts.flatMap(({ rows }) => rows ?? []);
  }

  async #readNext(): Promise<void> {
    const marker = this.#next;
    const begun = performance.now();
    const chunk = await this.#read(marker, sizeOf(this.#parts.length), this.#ending.signal);
    const rows = chunk.entries.map(rowOf).filter(this.#wanted);
    const { count, read, folders, bytes, took } = this.#state;
    const held: Held = { marker, start: count, length: rows.length, read: chunk.entries.length, rows };
    this.#parts.push(held);
    this.#hold(held);
    this.#next = chunk.marker;
    const objects = rows.filter((row) => row.kind === 'object');
    this.#set({
      count: count + rows.length,
      read: read + chunk.entries.length,
      folders: folders + rows.length - objects.length,
      bytes: objects.reduce((sum, { size }) => sum + size, bytes),
      isWhole: chunk.marker === undefined,
      took: took + performance.now() - begun,
    });
  }

  async #reread(part: Held): Promise<void> {
    if (this.#rereading.has(part)) return;
    this.#rereading.add(part);
    try {
      const { entries } = await this.#read(part.marker, part.read, this.#ending.signal);
      // What was deleted since leaves gaps at the end: rows keep their places.
      part.rows = entries.map(rowOf).filter(this.#wanted);
      this.#hold(part);
      this.#set({});
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#set({ error });
    } finally {
      this.#rereading.delete(part);
    }
  }

  #hold(part: Held): void {
    this.#recent.add(part);
    for (const old of this.#recent) {
      if (this.#recent.size <= MOST_HELD) return;
      this.#recent.delete(old);
      old.rows = undefined;
    }
  }

  #partOf(index: number): Held | undefined {
    let [low, high] = [0, this.#parts.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const part = this.#parts[middle];
      if (part === undefined) return undefined;
      if (index < part.start) high = middle - 1;
      else if (index >= part.start + part.length) low = middle + 1;
      else return part;
    }
    return undefined;
  }

  #set(change: Partial<ListingState>): void {
    this.#state = { ...this.#state, ...change, version: this.#state.version + 1 };
    for (const watcher of this.#watchers) watcher();
  }
}

function rowOf({ item, dir }: ListEntry): Row {
  if (item === undefined) return { kind: 'folder', key: dir };
  return {
    kind: 'object',
    key: item.key,
    size: item.fsize,
    type: item.type,
    mimeType: item.mimeType,
    at: dateOfPutTime(item.putTime).getTime(),
    isDisabled: item.status === 1,
    restore: RESTORES[item.restoreStatus ?? 0],
  };
}
