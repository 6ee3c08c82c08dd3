/** Folders and large files into a bucket: dropped or chosen, paused, and gone on with after a reload. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useObjects } from '../../support/console/objects.ts';
import { useLanguage } from '../../support/console/words.ts';
import { collected } from '../../support/running/sdk.ts';

const say = useLanguage('en');
const MIB = 1024 * 1024;
const PART = 4 * MIB;
let page: Page;
let folder: string;
const large = randomBytes(2 * PART + MIB);
const place = useObjects('uploads', async () => {});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-folder-'));
  await mkdir(path.join(folder, 'takes/deep'), { recursive: true });
  for (const [name, text] of [
    ['a.txt', 'one'],
    ['takes/b.txt', 'two'],
    ['takes/deep/c.txt', 'three'],
  ] as const)
    await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, '..', `${path.basename(folder)}.bin`), large);
});
afterAll(() => Promise.all([rm(folder, { recursive: true }), rm(`${folder}.bin`, { force: true })]));
afterEach(() => closePage(page));

test.runIf(hasBrowser)('a folder is chosen and another dropped; a large file survives a reload', async () => {
  const { bucket, client, person } = place();
  page = await signedIn(person, `/buckets/${bucket}/objects/in`);
  await page.locator('input[type=file][webkitdirectory]').setInputFiles(folder);
  await page.getByText(say('{{count}} files are there', { count: 3 })).waitFor();
  const name = path.basename(folder);
  await page.getByRole('link', { name: `${name}/` }).waitFor();

  // Dropped: the browser's own objects for files, as a drag from the desktop gives them.
  await page.locator('.objects_list').evaluate((element) => {
    const own = globalThis as unknown as {
      DataTransfer: new () => { items: { add(file: unknown): void } };
      File: new (parts: string[], name: string) => unknown;
      DragEvent: new (type: string, init: object) => unknown;
    };
    const dataTransfer = new own.DataTransfer();
    dataTransfer.items.add(new own.File(['dropped'], 'dropped <b>.txt'));
    for (const type of ['dragover', 'drop'])
      (element as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(
        new own.DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
      );
  });
  await page.getByRole('link', { name: 'dropped <b>.txt' }).waitFor();

  // The second of three parts never arrives, and the page is loaded anew in the middle.
  const parts = /\/uploads\/[^/]+\/(\d+)$/;
  await page.route(parts, (route) => {
    const number = Number(parts.exec(route.request().url())?.[1]);
    return number === 2 ? new Promise(() => {}) : route.continue();
  });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.locator('input[type=file][multiple]').setInputFiles(`${folder}.bin`);
  const line = page.locator('.tray_tray li', { hasText: `${name}.bin` });
  await expect.poll(() => line.textContent()).toMatch(/[5-9]\d %/);
  await page.reload();
  await line.getByRole('button', { name: say('Choose file') }).waitFor();
  await page.unroute(parts);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(...(parts.exec(request.url())?.slice(1) ?? [])));
  await line.locator('input[type=file]').setInputFiles(`${folder}.bin`);
  await line.getByText(`${bucket}/in/${name}.bin`).waitFor();
  expect(sent).toEqual(['2']);

  const keys = (await collected(client.objects.list(bucket))).map(({ item }) => item.key);
  expect(keys).toEqual(
    [
      'in/dropped <b>.txt',
      ...['a.txt', 'takes/b.txt', 'takes/deep/c.txt'].map((each) => `in/${name}/${each}`),
      `in/${name}.bin`,
    ].toSorted(),
  );
  const stored = await client.download(bucket, `in/${name}.bin`);
  expect(
    createHash('sha256')
      .update(await stored.bytes())
      .digest('hex'),
  ).toBe(createHash('sha256').update(large).digest('hex'));
});
