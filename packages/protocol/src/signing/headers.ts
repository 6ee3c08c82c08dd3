/** Request headers as signatures see them: in the order received, names in any case; of repeated ones the first counts. */
export type HeaderList = Iterable<readonly [name: string, value: string]>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Names that are as they should be, like our own. */
const CANONICAL = /^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/;

/** A capital at the start and after each hyphen, the rest lower case; a name that is not a token stays as it is. */
export function canonicalHeaderName(name: string): string {
  if (CANONICAL.test(name) || !TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The first value of a header: the one that is signed. */
export function firstHeader(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [candidate, value] of headers) {
    if (candidate.length === wanted.length && candidate.toLowerCase() === wanted) return value;
  }
  return undefined;
}

/** Headers whose canonical name begins with the prefix and continues after it, sorted by name, each once. */
export function headersWithPrefix(headers: HeaderList, prefix: string): [name: string, value: string][] {
  const found = new Map<string, string>();
  const start = prefix.toLowerCase();
  for (const [name, value] of headers) {
    // Most headers are not ours: skip them without building their canonical name.
    if (name.length <= start.length || name.slice(0, start.length).toLowerCase() !== start) continue;
    const canonical = canonicalHeaderName(name);
    if (canonical.startsWith(prefix) && !found.has(canonical)) found.set(canonical, value);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
