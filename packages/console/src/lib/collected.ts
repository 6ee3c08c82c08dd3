/** Lists that arrive page by page, as far as they are wanted. */

/** All items; for lists that are short by their nature. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** No further page is asked for. */
export async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const first: Item[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length === count) break;
  }
  return first;
}
