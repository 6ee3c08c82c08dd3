/** Processing in the console: from a failure to its cause, queues, templates, and commands tried on a picture. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { accessibilityProblems, hasBrowser, usePage } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { clip, ended, film, image, submitted } from '../../support/objects/processing.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('en');
const HOSTILE = 'takes/<img src=x onerror=alert(1)>.mov';
const UNREADABLE =
  'The engine cannot read the source: it is cut off, damaged, or not what its name says. Look at it, upload it again, then run the task again.';
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
const at = usePage(() => person);

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
    page = await at('/tasks?state=failed');
    const row = page.getByRole('link', { name: HOSTILE });
    await row.waitFor();
    await row.click();
    await page.getByRole('heading', { name: say('In the engine’s own words') }).waitFor();
    await page.getByText(say(UNREADABLE)).waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: `/tasks/${id}`, search: '?item=0' });
    await page.reload();
    await page.getByRole('button', { name: /^1 vframe/ }).click();
    await page.getByRole('heading', { name: say('Item {{item}}', { item: 1 }) }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => page.url()).not.toContain(id);
    await page.getByText(say('Submitted again, as this new task')).waitFor();
    await page.goto(`/tasks/${good.id}?view=table`);
    await page
      .getByRole('cell', { name: say('Stores the result') })
      .first()
      .waitFor();
    await page.getByRole('link', { name: good.items[0]?.key ?? 'no key' }).waitFor();
  },
);

test.runIf(hasBrowser)('what a result lacks is said beside its item', async () => {
  await put('takes/two-languages.mp4', await film());
  const { id } = await ended(await submit('takes/two-languages.mp4', 'avthumb/flv/s/80x'));
  page = await at(`/tasks/${id}`);
  await page.getByText(say('{{count}} warnings about the result', { count: 2 })).waitFor();
  await page.getByText('1 of 2 sound tracks is left out: flv cannot hold more of them').waitFor();
  await page.getByText('1 of 1 subtitle tracks is left out: flv holds none').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.runIf(hasBrowser)('a pipeline is made, changed and deleted', async () => {
  page = await at('/pipelines');
  await page.getByRole('button', { name: say('New pipeline') }).click();
  await page.getByLabel(say('Name')).fill('night');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('New pipeline') })
    .click();
  await page.getByRole('link', { name: 'night' }).click();
  await page.getByRole('spinbutton', { name: say('Tasks at a time') }).fill('9');
  await page.getByRole('button', { name: say('Change', {}, 'pipelines') }).click();
  await page.getByText(say('{{running}} of {{concurrency}}', { running: 0, concurrency: 9 })).waitFor();
  await page.getByRole('button', { name: say('Delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Delete') })
    .click();
  await page.getByText(say('No pipelines of your own')).waitFor();
});

test.runIf(hasBrowser)(
  'a template says what is wrong with it before it is saved; a trigger names it',
  async () => {
    page = await at('/templates');
    await page.getByRole('button', { name: say('New template') }).click();
    await page.getByLabel(say('Name')).fill('thumbs');
    await page.getByRole('textbox', { name: say('Commands') }).fill('imageView2/9/w/200');
    await page.getByText('imageView2: the mode must be a whole number from 0 to 5').waitFor();
    expect(await page.getByRole('button', { name: say('Save') }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: say('Commands') }).fill('imageView2/1/w/200');
    await page.getByRole('button', { name: say('Save') }).click();
    await page.getByRole('button', { name: say('New trigger') }).click();
    await page.getByLabel(say('Keys that end with')).fill('.png');
    await page.getByRole('button', { name: say('Create') }).click();
    await page.getByRole('cell', { name: '*.png' }).waitFor();
  },
);

test.runIf(hasBrowser)('a command is built from forms, seen as a picture, and submitted', async () => {
  page = await at(`/commands?bucket=${bucket}&key=photo.png`);
  await page.getByLabel(say('Add a command')).selectOption('imageView2');
  await page.getByText(say('{{width}} × {{height}} pixels', { width: 400, height: 300 })).waitFor();
  await page.getByLabel(say('Width')).fill('120');
  await page.getByText(say('{{width}} × {{height}} pixels', { width: 120, height: 90 })).waitFor();
  await page.getByLabel(say('Add a command')).selectOption('imageMogr2');
  await page.getByRole('region', { name: 'imageMogr2' }).getByLabel(say('Resize')).fill('60x');
  await page.getByText(say('{{width}} × {{height}} pixels', { width: 60, height: 45 })).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel(say('Width')).fill('0');
  await page.getByText('imageView2: w must be a whole number from 1 to 14999').waitFor();
  await page.getByRole('textbox', { name: say('Command') }).fill('imageView2/2/w/100');
  await page.getByRole('button', { name: say('Submit as a task') }).click();
  await page.getByLabel(say('Store the result as')).fill('small.png');
  await page.getByRole('button', { name: say('Submit'), exact: true }).click();
  await page.getByText(say('Its item is made and stored', { count: 1 })).waitFor();
  await page.getByRole('link', { name: 'small.png' }).waitFor();
});
