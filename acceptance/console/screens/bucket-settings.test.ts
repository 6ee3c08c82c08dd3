/** Settings of a bucket, as their user changes them. */
import { createBucket } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { bucketJson } from '../../support/objects/buckets.ts';
import { target } from '../../support/target.ts';

let page: Page;
let person: Person;
const bucket = `settings-${Date.now().toString(36)}`;

beforeAll(async () => {
  person = await createParent();
  await createBucket(target.url, person, bucket);
});
afterEach(() => closePage(page));

const asked = <T>(path: string) =>
  bucketJson<T>(path, { method: 'GET' }, { url: target.url, account: person });

test.runIf(hasBrowser)('closes a bucket, and opens it only when asked twice', async () => {
  page = await signedIn(person, `/buckets/${bucket}/access`);
  await page.getByRole('radio', { name: /Private/ }).click();
  await page.locator('.crumbs .tag', { hasText: 'private' }).waitFor();
  await page.getByRole('radio', { name: /Public/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await asked(`/v2/bucketInfo?bucket=${bucket}`)).toMatchObject({ private: 1 });
});

test.runIf(hasBrowser)(
  'adds a lifecycle rule, is refused one that does nothing, and removes it',
  async () => {
    page = await signedIn(person, `/buckets/${bucket}/lifecycle`);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('old_logs');
    await form.getByLabel('Keys begin with').fill('logs/<b>&');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('the rule does nothing').waitFor();
    await form.getByLabel('Delete').fill('30');
    await form.getByRole('button', { name: 'What would this do now?' }).click();
    await form.getByText('If the rule ran now, it would do nothing').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('list', { name: 'Rules for aging objects' }).getByText('logs/<b>&').waitFor();
    expect(await asked(`/rules/get?bucket=${bucket}`)).toMatchObject([
      { name: 'old_logs', prefix: 'logs/<b>&', delete_after_days: 30 },
    ]);
    await page.getByRole('button', { name: 'Remove old_logs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Objects stay as they are').waitFor();
  },
);

test.runIf(hasBrowser)('sets CORS and events in Chinese, and a refresh loses nothing', async () => {
  page = await signedIn(person, `/buckets/${bucket}/cors`, { language: 'zh-CN' });
  await page.getByRole('button', { name: '添加规则' }).click();
  await page.getByLabel('来源').fill('https://app.example.com');
  await page.reload();
  await page.getByLabel('来源').fill('https://app.example.com');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await page.getByRole('list').getByText('https://app.example.com').waitFor();
  await page.goto(`/buckets/${bucket}/events?edit=%2B`);
  await page.getByLabel('名称').fill('照片');
  await page.getByLabel('接收 URL').fill('https://app.example.com/hook');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await page.getByRole('list', { name: '对象事件' }).getByText('照片').waitFor();
  expect(await asked(`/eventRules/get/${bucket}`)).toMatchObject([
    { name: '照片', events: ['created', 'overwritten', 'deleted'] },
  ]);
});

test.runIf(hasBrowser)('sets a quota, and shows what is held', async () => {
  page = await signedIn(person, `/buckets/${bucket}/quota`);
  await page.getByLabel('At most', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('of 2 GiB').waitFor();
  expect(await asked(`/getbucketquota/${bucket}`)).toEqual({ size: 2 ** 31, count: -1 });
  await page.locator('.uplot').waitFor();
});
