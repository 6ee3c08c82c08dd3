/** The first items of a list that arrives page by page; no further page is asked for. */
export async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const first: Item[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length === count) break;
  }
  return first;
}
