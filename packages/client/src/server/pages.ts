/** The pages of a list, each requested with the marker of the one before it. */
export async function* pagesOf<Page extends { readonly marker?: string }>(
  ask: (marker: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void> {
  for (let marker: string | undefined; ; ) {
    const page = await ask(marker);
    yield page;
    if (!page.marker) return;
    marker = page.marker;
  }
}

/** The items on them. */
export async function* itemsOf<Item>(
  ask: (marker: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly marker?: string }>,
): AsyncGenerator<Item, void> {
  for await (const { items } of pagesOf(ask)) yield* items;
}
