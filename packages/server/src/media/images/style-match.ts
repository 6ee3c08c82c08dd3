/** Finds the name of a style at the end of a key. Names may contain the separator themselves: the longest wins. */

export interface StyleMatch {
  /** The key of the object itself. */
  readonly key: string;
  readonly command: string;
}

export function styleIn(
  key: string,
  separator: string,
  styles: ReadonlyMap<string, string>,
): StyleMatch | undefined {
  if (styles.size === 0) return undefined;
  // From 1: there must be a key before the separator.
  for (let at = key.indexOf(separator, 1); at > 0; at = key.indexOf(separator, at + 1)) {
    const command = styles.get(key.slice(at + separator.length));
    if (command !== undefined) return { key: key.slice(0, at), command };
  }
  return undefined;
}
