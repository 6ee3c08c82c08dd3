/** Waits for all of the work, but no longer than the given time. */
export async function settledWithin(milliseconds: number, work: Iterable<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([Promise.allSettled(work), timeUp]);
  clearTimeout(timer);
}
