/**
 * All uploads of this page: a few at a time, each in parts that the server keeps, so that a pause, a lost connection or a reload
 * costs no more than the part on its way. They go on while one looks at other screens.
 */
import { MillpondError, type SessionClient, storageJournal } from '@millpond/client/session';
import { keepUploads, keptUploads } from './kept.ts';
import { nextName, type Upload } from './upload.ts';

const AT_ONCE = 2;
/** Enough for the slowest part; a new one is made when it ends. */
const TOKEN_SECONDS = 3600;
const EXISTS = 614;
/** Speeds are of the last seconds. */
const WINDOW_MS = 5_000;

export interface NewFile {
  readonly file: File;
  readonly key: string;
}

interface Running {
  readonly file: File;
  abort?: AbortController;
  /** Times and bytes of late, for the speed. */
  marks: { at: number; sent: number }[];
}

export class Uploads {
  readonly #client: SessionClient;
  readonly #account: string;
  readonly #files = new Map<string, Running>();
  readonly #watchers = new Set<() => void>();
  readonly #onDone: (bucket: string) => void;
  #list: readonly Upload[];

  constructor(client: SessionClient, account: string, onDone: (bucket: string) => void) {
    this.#client = client;
    this.#account = account;
    this.#onDone = onDone;
    this.#list = keptUploads(account).map((kept) => ({ ...kept, state: 'fileless', speed: 0 }));
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly list = (): readonly Upload[] => this.#list;

  /** Files that were begun before a reload go on; all others begin. */
  add(bucket: string, files: readonly NewFile[]): void {
    const fileless = new Map(
      this.#list
        .filter((upload) => upload.state === 'fileless' && upload.bucket === bucket)
        .map((upload) => [upload.key, upload]),
    );
    const isBegun = ({ file, key }: NewFile) => {
      const upload = fileless.get(key);
      return upload !== undefined && this.choose(upload.id, file);
    };
    const added = files
      .filter((each) => !isBegun(each))
      .map(({ file, key }): Upload => {
        const id = crypto.randomUUID();
        this.#files.set(id, { file, marks: [] });
        return {
          id,
          bucket,
          key,
          name: file.name,
          size: file.size,
          modified: file.lastModified,
          state: 'waiting',
          sent: 0,
          speed: 0,
          replaces: false,
        };
      });
    this.#set([...this.#list, ...added]);
    this.#next();
  }

  pause(id: string): void {
    this.#change(id, { state: 'paused', speed: 0 });
    this.#files.get(id)?.abort?.abort();
    this.#next();
  }

  resume(id: string): void {
    this.#change(id, { state: 'waiting', error: undefined });
    this.#next();
  }

  pauseAll(): void {
    for (const { id, state } of this.#list) if (state === 'sending' || state === 'waiting') this.pause(id);
  }

  resumeAll(): void {
    for (const { id, state } of this.#list) if (state === 'paused') this.resume(id);
  }

  replace(id: string): void {
    this.#change(id, { replaces: true });
    this.resume(id);
  }

  keepBoth(id: string): void {
    const upload = this.#find(id);
    if (upload === undefined) return;
    this.#change(id, { key: nextName(upload.key), sent: 0 });
    this.resume(id);
  }

  remove(id: string): void {
    this.#files.get(id)?.abort?.abort();
    this.#files.delete(id);
    this.#set(this.#list.filter((upload) => upload.id !== id));
    this.#next();
  }

  clearDone(): void {
    this.#set(this.#list.filter(({ state }) => state !== 'done'));
  }

  /** After a reload: whether it is the file that was begun. */
  choose(id: string, file: File): boolean {
    const upload = this.#find(id);
    if (upload === undefined || isOther(file, upload)) return false;
    this.#files.set(id, { file, marks: [] });
    this.resume(id);
    return true;
  }

  #next(): void {
    const free = AT_ONCE - this.#list.filter(({ state }) => state === 'sending').length;
    for (const upload of this.#list.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
      void this.#send(upload);
  }

  async #send({ id, bucket, key, replaces }: Upload): Promise<void> {
    const running = this.#files.get(id);
    if (running === undefined) return this.#change(id, { state: 'fileless' });
    const abort = new AbortController();
    running.abort = abort;
    running.marks = [];
    this.#change(id, { state: 'sending' });
    try {
      await this.#client.uploader(storageJournal(localStorage)).upload(running.file, {
        key,
        signal: abort.signal,
        token: this.#tokens(bucket, key, replaces),
        onProgress: ({ done, sent }) => this.#progress(id, done, done - sent),
      });
      this.#files.delete(id);
      this.#change(id, { state: 'done', sent: running.file.size, speed: 0 });
      this.#onDone(bucket);
    } catch (error) {
      if (abort.signal.aborted) return;
      const exists = error instanceof MillpondError && error.status === EXISTS;
      this.#change(id, { state: exists ? 'exists' : 'failed', error, speed: 0 });
    } finally {
      this.#next();
    }
  }

  /** One token for many requests, made anew before it ends. */
  #tokens(bucket: string, key: string, replaces: boolean): () => Promise<string> {
    let made: { token: string; until: number } | undefined;
    return async () => {
      if (made === undefined || made.until < Date.now()) {
        const deadline = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
        const policy = {
          scope: `${bucket}:${key}`,
          deadline,
          ...(replaces ? {} : { insertOnly: 1 as const }),
        };
        const { token } = await this.#client.signing.uploadToken(policy);
        made = { token, until: Date.now() + (TOKEN_SECONDS * 1000) / 2 };
      }
      return made.token;
    };
  }

  #progress(id: string, sent: number, resumed: number): void {
    const running = this.#files.get(id);
    if (running === undefined) return;
    const now = Date.now();
    running.marks = [...running.marks.filter(({ at }) => now - at < WINDOW_MS), { at: now, sent }];
    const [first] = running.marks;
    const speed =
      first === undefined || now === first.at ? 0 : ((sent - first.sent) / (now - first.at)) * 1000;
    this.#change(id, { sent, speed, ...(resumed > 0 ? { resumed } : {}) });
  }

  #find(id: string): Upload | undefined {
    return this.#list.find((upload) => upload.id === id);
  }

  #change(id: string, change: Partial<Upload> & { readonly error?: unknown }): void {
    this.#set(this.#list.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  }

  #set(list: readonly Upload[]): void {
    this.#list = list;
    keepUploads(this.#account, list);
    for (const watcher of this.#watchers) watcher();
  }
}

function isOther(file: File, { name, size, modified }: Upload): boolean {
  return file.name !== name || file.size !== size || file.lastModified !== modified;
}
