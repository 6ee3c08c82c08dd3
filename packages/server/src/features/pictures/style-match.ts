/** Finds the name of a style at the end of a key. Names may hold the separator themselves: the longest counts. */

export interface StyleMatch {
  /** Of the object itself. */
  readonly key: string;
  readonly command: string;
}

export function styleIn(
  key: string,
  separator: string,
  styles: ReadonlyMap<string, string>,
): StyleMatch | undefined {
  if (styles.size === 0) return undefined;
  // From 1: in front of the separator there must be a key.
  for (let at = key.indexOf(separator, 1); at > 0; at = key.indexOf(separator, at + 1)) {
    const command = styles.get(key.slice(at + separator.length));
    if (command !== undefined) return { key: key.slice(0, at), command };
  }
  return undefined;
}
