/**
 * Remembers uploads that were begun, so that they continue after a crash or a reload. It stores only the ids of
 * uploads: the server says which parts it has, and their hashes say whether they are the same bytes.
 */
export interface UnfinishedUpload {
  readonly uploadId: string;
  /** Unix seconds at which the server forgets it. */
  readonly expireAt: number;
  readonly partSize: number;
}

export interface Journal {
  get(id: string): Promise<UnfinishedUpload | undefined>;
  set(id: string, upload: UnfinishedUpload): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What `localStorage` and `sessionStorage` have. */
export interface KeyValueStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const PREFIX = 'millpond-upload:';

/** For browsers: `storageJournal(localStorage)`. A full or forbidden storage prevents resuming, not the upload. */
export function storageJournal(storage: KeyValueStorage): Journal {
  const quietly = (act: () => void) => {
    try {
      act();
    } catch {
      // Explained above.
    }
  };
  return {
    async get(id) {
      let text: string | null = null;
      quietly(() => {
        text = storage.getItem(PREFIX + id);
      });
      return text === null ? undefined : parseUnfinishedUpload(text);
    },
    async set(id, upload) {
      quietly(() => storage.setItem(PREFIX + id, JSON.stringify(upload)));
    },
    async remove(id) {
      quietly(() => storage.removeItem(PREFIX + id));
    },
  };
}

export function memoryJournal(): Journal {
  const uploads = new Map<string, string>();
  return storageJournal({
    getItem: (name) => uploads.get(name) ?? null,
    setItem: (name, value) => void uploads.set(name, value),
    removeItem: (name) => void uploads.delete(name),
  });
}

/** Undefined if it is not one of our records, whoever wrote it. */
export function parseUnfinishedUpload(text: string): UnfinishedUpload | undefined {
  try {
    const { uploadId, expireAt, partSize } = JSON.parse(text) as Partial<UnfinishedUpload>;
    const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
    if (typeof uploadId !== 'string' || !/^[\w.-]{1,200}$/.test(uploadId)) return undefined;
    if (!isWhole(expireAt) || !isWhole(partSize)) return undefined;
    return { uploadId, expireAt: Number(expireAt), partSize: Number(partSize) };
  } catch {
    return undefined;
  }
}
