import type { Page } from 'playwright-core';

/** Nothing is loading, and every picture in it is there. */
export async function settled(shown: Page): Promise<void> {
  await shown.locator('main').waitFor();
  await shown.waitForLoadState('networkidle');
  await shown.waitForFunction(
    "document.querySelector('.skeleton') === null && [...document.images].every(({ complete }) => complete)",
  );
}
