/** One file on its way to the server: what is known of it, whatever happens to it. */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'exists' | 'failed' | 'fileless';

export interface Upload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly modified: number;
  readonly state: UploadState;
  /** Bytes that the server has. */
  readonly sent: number;
  /** Bytes per second, of late. */
  readonly speed: number;
  /** Of `failed` and `exists`: what the server said. */
  readonly error?: unknown;
  /** Bytes that were there already when it went on. */
  readonly resumed?: number;
  /** Replaces what has the key. */
  readonly replaces: boolean;
}

/** What is kept of an upload for after a reload; the browser forgets the file itself. */
export type KeptUpload = Pick<
  Upload,
  'id' | 'bucket' | 'key' | 'name' | 'size' | 'modified' | 'sent' | 'replaces'
>;

export interface Totals {
  readonly files: number;
  readonly done: number;
  readonly sending: number;
  readonly needs: number;
  readonly bytes: number;
  readonly sent: number;
  readonly speed: number;
  /** Milliseconds; undefined while nothing moves. */
  readonly left: number | undefined;
}

export function totalsOf(uploads: readonly Upload[]): Totals {
  const sum = (of: (upload: Upload) => number) => uploads.reduce((all, upload) => all + of(upload), 0);
  const count = (...states: UploadState[]) => uploads.filter(({ state }) => states.includes(state)).length;
  const moving = uploads.filter(({ state }) => state !== 'exists' && state !== 'failed');
  const rest = moving.reduce((all, { size, sent }) => all + size - sent, 0);
  const speed = sum((upload) => (upload.state === 'sending' ? upload.speed : 0));
  return {
    files: uploads.length,
    done: count('done'),
    sending: count('sending'),
    needs: count('exists', 'failed', 'fileless'),
    bytes: sum(({ size }) => size),
    sent: sum(({ sent }) => sent),
    speed,
    left: speed > 0 ? (rest / speed) * 1000 : undefined,
  };
}

/** `a/photo.jpg` → `a/photo (2).jpg`: for those who keep both. */
export function nextName(key: string): string {
  const at = key.lastIndexOf('/') + 1;
  const [, stem = '', number, ending = ''] =
    /^(.*?)(?: \((\d{1,4})\))?(\.[^.]*)?$/s.exec(key.slice(at)) ?? [];
  return `${key.slice(0, at)}${stem} (${number === undefined ? 2 : Number(number) + 1})${ending}`;
}
