/** Settings of a bucket, as their user changes them. */
import { createBucket } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { hasBrowser, usePage } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { bucketJson } from '../../support/objects/buckets.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
let page: Page;
let person: Person;
const bucket = `settings-${Date.now().toString(36)}`;

beforeAll(async () => {
  person = await createParent();
  await createBucket(target.url, person, bucket);
});
const at = usePage(() => person);

const asked = <T>(path: string) =>
  bucketJson<T>(path, { method: 'GET' }, { url: target.url, account: person });

test.runIf(hasBrowser)('closes a bucket, and opens it only when asked twice', async () => {
  page = await at(`/buckets/${bucket}/access`);
  await page.getByRole('radio', { name: say('Private') }).click();
  await page.locator('.crumbs .tag', { hasText: say('private') }).waitFor();
  await page.getByRole('radio', { name: say('Public') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Cancel') })
    .click();
  expect(await asked(`/v2/bucketInfo?bucket=${bucket}`)).toMatchObject({ private: 1 });
});

test.runIf(hasBrowser)(
  'adds a lifecycle rule, is refused one that does nothing, and removes it',
  async () => {
    page = await at(`/buckets/${bucket}/lifecycle`);
    await page.getByRole('button', { name: say('Add a rule') }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(say('Name')).fill('old_logs');
    await form.getByLabel(say('Keys begin with')).fill('logs/<b>&');
    await form.getByRole('button', { name: say('Save') }).click();
    await form.getByRole('alert').getByText('the rule does nothing').waitFor();
    await form.getByLabel(say('Delete')).fill('30');
    await form.getByRole('button', { name: say('What would this do now?') }).click();
    await form.getByText(say('If the rule ran now, it would do nothing')).waitFor();
    await form.getByRole('button', { name: say('Save') }).click();
    await page
      .getByRole('list', { name: say('Rules for aging objects') })
      .getByText('logs/<b>&')
      .waitFor();
    expect(await asked(`/rules/get?bucket=${bucket}`)).toMatchObject([
      { name: 'old_logs', prefix: 'logs/<b>&', delete_after_days: 30 },
    ]);
    await page.getByRole('button', { name: say('Remove {{name}}', { name: 'old_logs' }) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('Remove') })
      .click();
    await page.getByText(say('Objects stay as they are')).waitFor();
  },
);

test.runIf(hasBrowser)('sets CORS and events, and a refresh loses nothing', async () => {
  page = await at(`/buckets/${bucket}/cors`);
  await page.getByRole('button', { name: say('Add a rule') }).click();
  await page.getByRole('textbox', { name: say('Origins') }).fill('https://app.example.com');
  await page.reload();
  await page.getByRole('textbox', { name: say('Origins') }).fill('https://app.example.com');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Save') })
    .click();
  await page.getByRole('list').getByText('https://app.example.com').waitFor();
  await page.goto(`/buckets/${bucket}/events?edit=%2B`);
  await page.getByLabel(say('Name')).fill('照片');
  await page.getByLabel(say('Send to')).fill('https://app.example.com/hook');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Save') })
    .click();
  await page
    .getByRole('list', { name: say('Events of objects') })
    .getByText('照片')
    .waitFor();
  expect(await asked(`/eventRules/get/${bucket}`)).toMatchObject([
    { name: '照片', events: ['created', 'overwritten', 'deleted'] },
  ]);
});

test.runIf(hasBrowser)('sets a quota, and shows what is held', async () => {
  page = await at(`/buckets/${bucket}/quota`);
  await page.getByLabel(say('At most'), { exact: true }).fill('2');
  await page.getByRole('button', { name: say('Save') }).click();
  await page.getByText(new RegExp(say('{{share}} of {{of}}', { share: '.*', of: '2 GiB' }))).waitFor();
  expect(await asked(`/getbucketquota/${bucket}`)).toEqual({ size: 2 ** 31, count: -1 });
  await page.locator('.uplot').waitFor();
});
