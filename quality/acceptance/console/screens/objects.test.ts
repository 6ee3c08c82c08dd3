/** Buckets and objects as people work with them: made, filled, looked at, changed, deleted and brought back. */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { accessibilityProblems, closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
let page: Page;
afterEach(() => closePage(page));

const { operator } = target.console;

test.runIf(hasBrowser)('a bucket is made, filled, browsed, emptied and dropped', async () => {
  const bucket = `console-${randomBytes(4).toString('hex')}`;
  page = await signedIn(operator, '/buckets');
  await page
    .getByRole('button', { name: say('New bucket') })
    .first()
    .click();
  await page.getByLabel(say('Name')).fill(bucket);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('New bucket') })
    .click();
  await page.getByText(say('Nothing in this bucket yet')).waitFor();

  // Uploaded, and there at once.
  await page.locator('input[type=file][multiple]').setInputFiles([
    {
      name: 'notes.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Notes\n<script>alert(1)</script>'),
    },
    { name: 'scene.json', mimeType: 'application/json', buffer: Buffer.from('{"take":3}') },
  ]);
  await page.getByText(say('{{count}} files are there', { count: 2 })).waitFor();
  await page.getByRole('row', { name: /notes\.md/ }).waitFor();

  // Other content under the same name is asked about.
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Other notes') }]);
  await page.getByRole('button', { name: say('Keep both') }).click();
  await page.getByRole('row', { name: /notes \(2\)\.md/ }).waitFor();

  // One is looked at, and stays open after a reload.
  await page.getByRole('link', { name: 'notes.md', exact: true }).click();
  await page.getByText('<script>alert(1)</script>').waitFor();
  await page.reload();
  await page.getByText('<script>alert(1)</script>').waitFor();
  await page.getByLabel(say('QR code')).click();
  await page.getByRole('img', { name: say('QR code of the link to {{key}}', { key: 'notes.md' }) }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  // Deleted, and brought back from the message.
  await page.getByRole('button', { name: say('More'), exact: true }).click();
  await page.getByRole('menuitem', { name: say('Delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Delete') })
    .click();
  await page.getByRole('button', { name: say('Undo', {}, 'objects') }).click();
  await page.getByRole('row', { name: /notes\.md/ }).waitFor();

  // Everything is deleted by the server, which this page only watches.
  await page.getByRole('grid').press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: say('Select all {{number}}', { number: 3 }) }).click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: say('Delete') })
    .click();
  await page.getByLabel(say('Type {{prefix}} to confirm', { prefix: bucket })).fill(bucket);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Delete') })
    .click();
  await page.getByRole('button', { name: say('Watch') }).click();
  await page.getByText(say('{{done}} of {{of}} done', { done: 3, of: 3 })).waitFor();

  await page.goto(`/buckets/${bucket}/trash`);
  await page.getByRole('row', { name: /scene\.json/ }).waitFor();

  await page.goto(`/buckets?find=${bucket}`);
  await page.getByRole('link', { name: bucket }).waitFor();
  await page.getByRole('button', { name: say('Acts on {{bucket}}', { bucket }) }).click();
  await page.getByRole('menuitem', { name: say('Drop bucket') }).click();
  await page.getByLabel(say('Type {{name}} to confirm', { name: bucket })).fill(bucket);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Drop bucket') })
    .click();
  await page.getByText(say('Dropped {{bucket}}', { bucket })).waitFor();
});
