/**
 * Keys and prefixes in the console's own addresses. A folder is a path of segments, `a/b/` is `a/b`; what would not survive the
 * way through a URL (browsers drop `.` and `..`, routers drop empty segments) is written with a tilde: `~` alone is an empty
 * segment, `~2E` a dot. Everything else is percent-encoded by the router, once.
 */

/** Signs that routers or browsers take for their own, wherever they stand in a segment. */
const OWN = /[~%?#\\ \p{Cc}]/gu;
const DOTS = /^\.{1,2}$/;

/** `a//b/` → `a/~/b`. A prefix that names a folder ends with a slash, or is empty. */
export function pathOfPrefix(prefix: string): string {
  if (prefix === '') return '';
  return prefix.replace(/\/$/, '').split('/').map(escaped).join('/');
}

export function prefixOfPath(path: string): string {
  if (path === '') return '';
  return `${path.split('/').map(unescaped).join('/')}/`;
}

/** An object's folder and its name there: `a/b/c.txt` → `a/b/`, `c.txt`. */
export function splitKey(key: string): { readonly prefix: string; readonly name: string } {
  const at = key.lastIndexOf('/') + 1;
  return { prefix: key.slice(0, at), name: key.slice(at) };
}

/** Where an object is shown; `name` is empty for a key that ends with a slash, and for the empty key. */
export function objectAddress(bucket: string, key: string) {
  const { prefix, name } = splitKey(key);
  return { ...folderAddress(bucket, prefix), search: { key: name } } as const;
}

export function folderAddress(bucket: string, prefix: string) {
  return {
    to: '/buckets/$bucket/objects/$',
    params: { bucket, _splat: pathOfPrefix(prefix) },
  } as const;
}

/** The folders above, from the bucket's own: each with its name and its prefix. */
export function foldersOf(prefix: string): { readonly name: string; readonly prefix: string }[] {
  const names = prefix === '' ? [] : prefix.slice(0, -1).split('/');
  return names.map((name, at) => ({ name, prefix: `${names.slice(0, at + 1).join('/')}/` }));
}

function escaped(segment: string): string {
  if (segment === '') return '~';
  if (DOTS.test(segment)) return segment.replaceAll('.', '~2E');
  return segment.replaceAll(OWN, hex);
}

function unescaped(segment: string): string {
  if (segment === '~') return '';
  return segment.replaceAll(/~([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function hex(sign: string): string {
  return `~${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The same as a link's text, without asking the router: lists have many of them. */
export function hrefOf(bucket: string, prefix: string, search: string): string {
  const path = pathOfPrefix(prefix);
  const encoded = path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
  return `/buckets/${encodeURIComponent(bucket)}/objects${encoded}${search}`;
}
