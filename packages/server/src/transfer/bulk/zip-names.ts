/** Names of objects in an archive: their keys below the folder of the prefix. Whoever unpacks it must get nothing outside of his own. */

const UNSAFE = /[\\\p{Cc}]|^[A-Za-z]:/u;

/** Undefined: it can't stand in an archive. The empty name: the folder itself, which needs no entry. */
export function nameInZip(key: string, prefix: string): string | undefined {
  const name = key.slice(prefix.lastIndexOf('/') + 1);
  if (name === '') return '';
  const parts = name.split('/');
  const inner = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  const isOutside = inner.some((part) => part === '' || part === '.' || part === '..');
  return isOutside || UNSAFE.test(name) ? undefined : name;
}
