/** Counts what a user does with the mouse, over all pages that are opened; a press of Enter on a link or button counts, too. */
import type { Page } from 'playwright-core';

/** Runs in the page. What scripts do is no click. */
const WATCH = `addEventListener('click', ({ isTrusted }) => isTrusted && clickedByUser(), { capture: true })`;

/** From now on. The answer says how many there were. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('clickedByUser', () => {
    clicks++;
  });
  await page.addInitScript(WATCH);
  await page.evaluate(WATCH);
  return () => clicks;
}
