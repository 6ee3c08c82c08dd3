/** What the address says: the fetch that is being written, and those whose state is shown. */
export interface FetchesSearch {
  readonly url?: string;
  readonly bucket?: string;
  readonly key?: string;
  /** In the background unless this says otherwise. */
  readonly way?: 'now';
  /** Fetches in the background, the last one first. */
  readonly ids?: readonly string[];
}

/** As many as are asked about at a time. */
export const MOST_SHOWN = 20;
const ID = /^[\w-]{1,64}$/;
const MOST_TEXT = 4096;

export function readSearch({ url, bucket, key, way, ids }: Record<string, unknown>): FetchesSearch {
  const known = (Array.isArray(ids) ? ids : []).filter((id) => isText(id) && ID.test(id));
  return {
    ...(isText(url) ? { url } : {}),
    ...(isText(bucket) ? { bucket } : {}),
    ...(isText(key) ? { key } : {}),
    ...(way === 'now' ? { way } : {}),
    ...(known.length === 0 ? {} : { ids: [...new Set<string>(known)].slice(0, MOST_SHOWN) }),
  };
}

export function isFetchId(text: string): boolean {
  return ID.test(text);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}
