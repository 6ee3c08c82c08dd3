/** Processing in the console: from a failure to its cause, queues, templates, and commands tried on a picture. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, faultsOfAccess, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { clip, ended, image, submitted } from '../../support/objects/processing.ts';
import { target } from '../../support/target.ts';

const HOSTILE = 'takes/<img src=x onerror=alert(1)>.mov';
const bucket = `screens-${Date.now().toString(36)}`;
let person: Person;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  person = await createParent();
  await createBucket(target.url, person, bucket);
  await put('photo.png', await image('400x300'));
  const film = await clip();
  await put('takes/film.mp4', film);
  await put(HOSTILE, film.subarray(0, 32));
});
afterEach(() => closePage(page));

async function put(key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const token = uploadToken(person, { scope: `${bucket}:${key}` });
  expect((await uploadForm(target.url, content, { token, key })).status).toBe(200);
}

function submit(key: string, fops: string): Promise<string> {
  return submitted({ bucket, key, fops }, { keys: person });
}

test.runIf(hasBrowser)(
  'from the row of a failed task to its cause it is one click, and R runs it again',
  async () => {
    const good = await ended(
      await submit('takes/film.mp4', 'avthumb/mp4/s/160x90;vframe/jpg/offset/1|imageView2/2/w/80'),
    );
    const id = await submit(HOSTILE, 'avthumb/mp4;vframe/jpg/offset/0');
    await ended(id);
    page = await signedIn(person, '/tasks?state=failed');
    const row = page.getByRole('link', { name: HOSTILE });
    await row.waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'In the engine’s own words' }).waitFor();
    await page.getByText('The engine cannot read the source').waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: `/tasks/${id}`, search: '?item=0' });
    await page.reload();
    await page.getByRole('button', { name: /^1 vframe/ }).click();
    await page.getByRole('heading', { name: 'Item 1' }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => page.url()).not.toContain(id);
    await page.getByText('Submitted again').waitFor();
    await page.goto(`/tasks/${good.id}?view=table`);
    await page.getByRole('cell', { name: 'Stores the result' }).first().waitFor();
    await page.getByRole('link', { name: good.items[0]?.key ?? 'no key' }).waitFor();
  },
);

test.runIf(hasBrowser)('a pipeline is made, changed and deleted, in Chinese', async () => {
  page = await signedIn(person, '/pipelines', { language: 'zh-CN' });
  await page.getByRole('button', { name: '新建队列' }).click();
  await page.getByLabel('名称').fill('night');
  await page.getByRole('dialog').getByRole('button', { name: '新建队列' }).click();
  await page.getByRole('link', { name: 'night' }).click();
  await page.getByRole('spinbutton', { name: '同时执行的任务数' }).fill('9');
  await page.getByRole('button', { name: '修改' }).click();
  await page.getByText('0 / 9').waitFor();
  await page.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await page.getByText('还没有自己的队列').waitFor();
});

test.runIf(hasBrowser)(
  'a template says what is wrong with it before it is saved; a trigger names it',
  async () => {
    page = await signedIn(person, '/templates');
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByLabel('Name').fill('thumbs');
    await page.getByLabel('Commands').fill('imageView2/9/w/200');
    await page.getByText('imageView2: the mode must be a whole number from 0 to 5').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Commands').fill('imageView2/1/w/200');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'New trigger' }).click();
    await page.getByLabel('Keys that end with').fill('.png');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell', { name: '*.png' }).waitFor();
  },
);

test.runIf(hasBrowser)('a command is built from forms, seen as a picture, and submitted', async () => {
  page = await signedIn(person, `/commands?bucket=${bucket}&key=photo.png`);
  await page.getByLabel('Add a command').selectOption('imageView2');
  await page.getByText('400 × 300 pixels').waitFor();
  await page.getByLabel('Width').fill('120');
  await page.getByText('120 × 90 pixels').waitFor();
  await page.getByLabel('Add a command').selectOption('imageMogr2');
  await page.getByRole('region', { name: 'imageMogr2' }).getByLabel('Resize').fill('60x');
  await page.getByText('60 × 45 pixels').waitFor();
  expect(await faultsOfAccess(page)).toEqual([]);
  await page.getByLabel('Width').fill('0');
  await page.getByText('imageView2: w must be a whole number from 1 to 14999').waitFor();
  await page.getByRole('textbox', { name: 'Command' }).fill('imageView2/2/w/100');
  await page.getByRole('button', { name: 'Submit as a task' }).click();
  await page.getByLabel('Store the result as').fill('small.png');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Its item is made and stored').waitFor();
  await page.getByRole('link', { name: 'small.png' }).waitFor();
});
