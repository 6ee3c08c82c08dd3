/** What operators see of the installation: what is stored by class over time, every queue, and the pictures of those they act for. */
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useObjects } from '../../support/console/objects.ts';
import { useLanguage } from '../../support/console/words.ts';
import { image } from '../../support/objects/processing.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
const WIDTH = `document.querySelector('.detail_preview img')?.naturalWidth ?? 0`;

let page: Page;
const place = useObjects('seen', async ({ put }) => put('picture.png', await image('300x200'), 'image/png'));
afterEach(() => closePage(page));

test.runIf(hasBrowser)('an operator sees what is stored over time, every queue, and pictures', async () => {
  page = await signedIn(target.console.operator, '/');
  // Figures are written by the minute.
  const stored = page.getByRole('figure', { name: new RegExp(`^${say('Stored by class')}`) });
  await stored
    .getByText(new RegExp(`${say('standard')}\\s+[\\d.,]+ [KMG]?i?B`))
    .waitFor({ timeout: 180_000 });
  await stored.getByRole('button', { name: say('As a table') }).click();
  await stored
    .getByRole('cell', { name: /\d [KMG]?i?B/ })
    .first()
    .waitFor();

  const queues = page.getByRole('region', { name: say('Queues') });
  await queues.getByRole('link', { name: say('All of them') }).click();
  for (const name of ['task', 'fetch', 'bulk', 'class-move'])
    await queues.getByRole('row', { name: new RegExp(`^${name} \\d`) }).waitFor();

  const { bucket, person } = place();
  await page.goto(`/buckets/${bucket}/objects?key=picture.png&account=${person.uid}`);
  await expect.poll(() => page.evaluate(WIDTH)).toBe(300);
});
