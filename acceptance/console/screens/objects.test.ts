/** Buckets and objects as people work with them: made, filled, looked at, changed, deleted and brought back. */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { closePage, faultsOfAccess, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { target } from '../../support/target.ts';

let page: Page;
afterEach(() => closePage(page));

const { operator } = target.console;

test.runIf(hasBrowser)('a bucket is made, filled, browsed, emptied and dropped', async () => {
  const bucket = `console-${randomBytes(4).toString('hex')}`;
  page = await signedIn(operator, '/buckets');
  await page.getByRole('button', { name: 'New bucket' }).first().click();
  await page.getByLabel('Name').fill(bucket);
  await page.getByRole('dialog').getByRole('button', { name: 'New bucket' }).click();
  await page.getByText('Nothing in this bucket yet').waitFor();

  // Uploaded, and there at once.
  await page.locator('input[type=file][multiple]').setInputFiles([
    {
      name: 'notes.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Notes\n<script>alert(1)</script>'),
    },
    { name: 'scene.json', mimeType: 'application/json', buffer: Buffer.from('{"take":3}') },
  ]);
  await page.getByText('2 files are there').waitFor();
  await page.getByRole('row', { name: /notes\.md/ }).waitFor();

  // Other content under the same name is asked about.
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Other notes') }]);
  await page.getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('row', { name: /notes \(2\)\.md/ }).waitFor();

  // One is looked at, and stays open after a reload.
  await page.getByRole('link', { name: 'notes.md', exact: true }).click();
  await page.getByText('<script>alert(1)</script>').waitFor();
  await page.reload();
  await page.getByText('<script>alert(1)</script>').waitFor();
  await page.getByLabel('QR code').click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  expect(await faultsOfAccess(page)).toEqual([]);

  // Deleted, and brought back from the message.
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /notes\.md/ }).waitFor();

  // Everything is deleted by the server, which this page only watches.
  await page.getByRole('grid').press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: /Select all/ }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel(`Type ${bucket} to confirm`).fill(bucket);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Watch' }).click();
  await page.getByText('3 of 3 done').waitFor();

  await page.goto(`/buckets/${bucket}/trash`);
  await page.getByRole('row', { name: /scene\.json/ }).waitFor();

  await page.goto(`/buckets?find=${bucket}`);
  await page.getByRole('link', { name: bucket }).waitFor();
  await page.getByRole('button', { name: `Acts on ${bucket}` }).click();
  await page.getByRole('menuitem', { name: 'Drop bucket' }).click();
  await page.getByLabel(`Type ${bucket} to confirm`).fill(bucket);
  await page.getByRole('dialog').getByRole('button', { name: 'Drop bucket' }).click();
  await page.getByText(`Dropped ${bucket}`).waitFor();
});
