/** ETags as S3's clients write them: with quotes or without, weak or not, in lists. They are compared without all that. */
import type { S3Hashing } from '../hashing.ts';

/** More of them would be no condition but an attack. */
const MAX_LENGTH = 8192;

/** `*`, or the ETags without their quotes. */
export function parseEtagList(text: string): '*' | string[] {
  if (text.trim() === '*') return '*';
  return text
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((etag) => withoutQuotes(etag.trim()))
    .filter((etag) => etag !== '');
}

function withoutQuotes(etag: string): string {
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag;
  return opaque.replace(/^(?:"|&quot;)|(?:"|&quot;)$/g, '');
}

/** The MD5 of an object of parts, whose ETag ends in the number of its parts. */
export function multipartEtagMd5(hashing: Pick<S3Hashing, 'md5'>, md5s: readonly Uint8Array[]): Uint8Array {
  const hasher = hashing.md5();
  for (const md5 of md5s) hasher.update(md5);
  return hasher.digest();
}
