/** The key of a result for which no name was given. */
import { encodeBase64 } from '../base64.ts';
import type { Hashing } from '../hashing.ts';
import { encodeUtf8 } from '../utf8.ts';
import { formatCount } from './name-patterns.ts';

/** `cmd` as it was written, `etag` of the source. */
export function defaultResultKey(hashing: Pick<Hashing, 'sha1Of'>, cmd: string, etag: string): string {
  return `${encodeBase64(hashing.sha1Of(encodeUtf8(cmd)))}/${etag}`;
}

/** For a segment, next to its playlist. */
export function defaultSegmentKey(playlistKey: string, count: number, extension: string): string {
  return `${playlistKey}/${formatCount(count)}.${extension}`;
}
