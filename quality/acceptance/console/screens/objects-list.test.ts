/** A long folder: gone to any place of it, come back to, filtered, changed; and work on many objects by the server. */
import { operations } from '@millpond/client/server';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, usePage } from '../../support/console/browser.ts';
import { useObjects } from '../../support/console/objects.ts';
import { useLanguage } from '../../support/console/words.ts';
import { collected } from '../../support/running/sdk.ts';

const say = useLanguage('en');
const COUNT = 150;
const nameOf = (at: number) => `f-${String(at).padStart(3, '0')}`;
let page: Page;
const place = useObjects('list', async ({ bucket, client, put }) => {
  await put('many/f-000', 'content');
  const copies = Array.from({ length: COUNT - 1 }, (_, at) =>
    operations.copy({ bucket, key: 'many/f-000' }, { bucket, key: `many/${nameOf(at + 1)}` }),
  );
  const made = await client.objects.batch([
    ...copies,
    ...['few/one.txt', 'few/two.txt'].map((key) =>
      operations.copy({ bucket, key: 'many/f-000' }, { bucket, key }),
    ),
  ]);
  expect(made.every(({ ok }) => ok)).toBe(true);
});
const at = usePage(() => place().person);

test.runIf(hasBrowser)('a list is where it was after a reload and after coming back', async () => {
  const { bucket, client } = place();
  page = await at(`/buckets/${bucket}/objects/many`);
  const grid = page.getByRole('grid');
  const row = (name: string) => page.getByRole('link', { name, exact: true });
  await row('f-000').waitFor();
  await grid.evaluate((element) => {
    (element as unknown as { scrollTop: number }).scrollTop = 32 * 100;
  });
  await row('f-110').click();
  const panel = page.getByRole('complementary', { name: say('Object {{key}}', { key: 'f-110' }) });
  await panel.waitFor();
  // What is kept with the place in the history is written a moment later.
  await expect.poll(() => page.evaluate('history.state.millpond?.scrolled?.first > 80')).toBe(true);
  await page.reload();
  await row('f-110').waitFor();
  await page
    .getByRole('navigation', { name: say('Path') })
    .getByRole('link', { name: bucket })
    .click();
  await row('few/').waitFor();
  await page.goBack();
  await row('f-110').waitFor();

  // The panel: its width, and what is known of the object, changed.
  const edge = page.getByRole('separator', { name: say('Width of the panel') });
  await edge.press('ArrowLeft');
  expect(await edge.getAttribute('aria-valuenow')).toBe('412');
  await page.getByRole('button', { name: say('Edit') }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: say('Add a pair') }).click();
  await form.getByLabel(say('Name'), { exact: true }).fill('take');
  await form.getByLabel(say('Value of {{name}}', { name: 'take' })).fill('3');
  await form.getByLabel('Cache-Control').fill('no-cache');
  await form.getByRole('button', { name: say('Save') }).click();
  // The form says it, too, as a command.
  await panel.getByText('take=3').waitFor();
  expect(await client.objects.stat(bucket, 'many/f-110')).toMatchObject({
    metadata: { take: '3' },
    responseHeaders: { 'Cache-Control': 'no-cache' },
  });
  const process = await page.getByRole('link', { name: say('Process') }).getAttribute('href');
  expect(process).toBe(`/commands?bucket=${bucket}&key=many%2Ff-110`);

  // To a name without reading what comes before it, and only what is frozen.
  await page.getByRole('button', { name: say('Go to…') }).click();
  await form.getByLabel(say('Name in this folder')).fill('f-14');
  await form.getByRole('button', { name: say('Go there') }).click();
  await row('f-140').waitFor();
  await page.getByText(say('{{number}} objects', { number: 10 })).waitFor();
  await client.objects.changeType(bucket, 'many/f-149', 2);
  await page.getByLabel(say('Storage class')).selectOption('2');
  const held = {
    folders: say('{{number}} folders', { number: 0 }),
    objects: say('1 object', { number: 1 }),
    bytes: '7 B',
  };
  await page.getByText(say('{{folders}}, {{objects}}, {{bytes}}', held)).waitFor();
  await row('f-149').waitFor();
});

test.runIf(hasBrowser)(
  'many objects are copied, packed, moved, frozen and restored by the server',
  async () => {
    const { bucket, client } = place();
    const begin = async (folder: string, act: string, fill: (form: Locator) => Promise<void>) => {
      page = await at(`/buckets/${bucket}/objects/${folder}`);
      await page.locator('.objects_size-cell').first().waitFor();
      await page.getByRole('grid').press('j');
      await page.keyboard.press('x');
      await page.getByRole('button', { name: say('Select all {{number}}', { number: 2 }) }).click();
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: say(act), exact: true })
        .click();
      const form = page.getByRole('dialog');
      await fill(form);
      await form.locator('button[type=submit]').click();
      await page.getByRole('button', { name: say('Watch') }).click();
      await page.getByText(say('{{done}} of {{of}} done', { done: 2, of: 2 })).waitFor();
    };
    await begin('few', 'Copy to', (form) => form.getByLabel(say('New beginning of keys')).fill('copied/'));
    // Its page is there again for whoever comes back.
    await page.reload();
    await page.getByText(say('{{done}} of {{of}} done', { done: 2, of: 2 })).waitFor();
    await begin('few', 'Zip', (form) => form.getByLabel(say('Key of the archive')).fill('few.zip'));
    await begin('copied', 'Move', (form) => form.getByLabel(say('New beginning of keys')).fill('moved/'));
    await begin('moved', 'Class', (form) =>
      form.getByRole('radio', { name: new RegExp(`^${say('archive', {}, 'common')}`, 'i') }).click(),
    );
    await begin('moved', 'Restore', async () => {});
    await page.goto('/bulk');
    for (const kind of ['Copy', 'Zip', 'Move', 'Change class', 'Restore'])
      await page
        .getByRole('row', { name: new RegExp(`^${say(kind, {}, 'bulk')}.*${say('done', {}, 'bulk')}`) })
        .waitFor();
    const keys = await collected(client.objects.list(bucket, { prefix: '' }));
    expect(keys.map(({ item }) => item.key).filter((key) => !key.startsWith('many/'))).toEqual([
      'few.zip',
      'few/one.txt',
      'few/two.txt',
      'moved/one.txt',
      'moved/two.txt',
    ]);
    expect(await client.objects.stat(bucket, 'moved/one.txt')).toMatchObject({ type: 2 });
  },
);
