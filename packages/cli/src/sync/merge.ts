/** Merges two lists in the same order into pairs, with at most one entry of each in memory. */
import { compareKeys } from './order.ts';

export interface NamedEntry {
  readonly name: string;
}

export type Pair<S extends NamedEntry, T extends NamedEntry = S> =
  | { readonly source: S; readonly target: T }
  | { readonly source: S; readonly target?: undefined }
  | { readonly source?: undefined; readonly target: T };

export async function* merged<S extends NamedEntry, T extends NamedEntry>(
  sources: AsyncIterable<S>,
  targets: AsyncIterable<T>,
): AsyncGenerator<Pair<S, T>> {
  const [one, other] = [inOrder(sources), inOrder(targets)];
  try {
    let [source, target] = await Promise.all([one.next(), other.next()]);
    while (!source.done || !target.done) {
      const order = source.done ? 1 : target.done ? -1 : compareKeys(source.value.name, target.value.name);
      if (order === 0 && !source.done && !target.done) {
        yield { source: source.value, target: target.value };
        [source, target] = await Promise.all([one.next(), other.next()]);
      } else if (order < 0 && !source.done) {
        yield { source: source.value };
        source = await one.next();
      } else if (!target.done) {
        yield { target: target.value };
        target = await other.next();
      }
    }
  } finally {
    await Promise.allSettled([one.return(undefined), other.return(undefined)]);
  }
}

/** An entry out of order would look as if it were missing, and what is missing in the source may be deleted. */
async function* inOrder<T extends NamedEntry>(entries: AsyncIterable<T>): AsyncGenerator<T, undefined> {
  let last: string | undefined;
  for await (const entry of entries) {
    if (last !== undefined && compareKeys(last, entry.name) >= 0)
      throw new Error(
        `the list is not in order: ${JSON.stringify(entry.name)} follows ${JSON.stringify(last)}`,
      );
    last = entry.name;
    yield entry;
  }
}
