/**
 * Where things are: `[alias]:bucket[/key]` is an object of an installation, `-` is standard input or output, everything
 * else is a path on this machine. A path with a colon in its first part is written with `./`.
 */
import { UsageError } from '../exit.ts';

export interface RemoteLocation {
  readonly kind: 'remote';
  /** Empty: the installation that the environment names. */
  readonly alias: string;
  readonly bucket: string;
  /** Empty if only a bucket was named. */
  readonly key: string;
}

export type Location =
  | RemoteLocation
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'pipe' };

const ALIAS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/;

export function parseLocation(text: string): Location {
  if (text === '-') return { kind: 'pipe' };
  const colon = text.indexOf(':');
  const slash = text.indexOf('/');
  if (colon < 0 || (slash >= 0 && slash < colon)) return { kind: 'local', path: text };
  const alias = text.slice(0, colon);
  if (alias !== '' && !isAliasName(alias)) return { kind: 'local', path: text };
  const rest = text.slice(colon + 1);
  const end = rest.indexOf('/');
  return {
    kind: 'remote',
    alias,
    bucket: end < 0 ? rest : rest.slice(0, end),
    key: end < 0 ? '' : rest.slice(end + 1),
  };
}

export function formatRemote({
  alias,
  bucket,
  key,
}: Pick<RemoteLocation, 'alias' | 'bucket' | 'key'>): string {
  return `${alias}:${bucket}${key === '' ? '' : `/${key}`}`;
}

/** The prefix of keys below a place: it names a folder, so `a` does not include `ab`. */
export function folderPrefix(key: string): string {
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

/** An object, given by its bucket and key. */
export function parseObject(text: string): RemoteLocation {
  const place = parseRemote(text);
  if (place.key === '') throw new UsageError(`${text} names no object: write [alias]:bucket/key`);
  return place;
}

/** A bucket itself. */
export function parseBucket(text: string): RemoteLocation {
  const place = parseRemote(text);
  if (place.key !== '') throw new UsageError(`${text} names an object: a bucket is written [alias]:bucket`);
  return place;
}

/** A bucket, or something in one. */
export function parseRemote(text: string): RemoteLocation {
  const location = parseLocation(text);
  if (location.kind !== 'remote' || location.bucket === '')
    throw new UsageError(`${text} is not a remote place: write [alias]:bucket/key, such as :photos/a.jpg`);
  return location;
}

export function isAliasName(text: string): boolean {
  return ALIAS.test(text);
}
