/** Access as its users have it: a key whose secret is seen once, disabling it, ending a session, and finding both in the audit log. */
import { signIn } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { secureSigned } from '../../support/running/secure.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
let page: Page;
afterEach(() => closePage(page));

test.runIf(hasBrowser)(
  'a key is made, seen once and disabled; a session is ended; the log has it',
  async () => {
    const person = await createParent();
    const elsewhere = await signIn(target.console, { email: person.email, password: person.password });
    page = await signedIn(person, '/keys');
    await page.getByRole('button', { name: say('New key', {}, 'access') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say('Make the key') }).click();
    await dialog
      .getByText(say('The secret is shown this once. No call or command shows it again.'))
      .waitFor();
    const [key = '', secret = ''] = await dialog.locator('.access_secret-value code').allTextContents();
    const done = dialog.getByRole('button', { name: say('Done', {}, 'access') });
    expect(await done.isDisabled()).toBe(true);
    await dialog.getByLabel(say('I have stored the secret')).check();
    await done.click();
    const row = page.getByRole('row', { name: new RegExp(key) });
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole('button', { name: new RegExp(key.slice(0, 8)) }).click();
    await page.getByRole('menuitem', { name: say('Disable') }).click();
    await dialog.getByRole('button', { name: say('Disable') }).click();
    await row.getByText(say('disabled')).waitFor();

    await page.getByRole('link', { name: say('Sessions') }).click();
    await page.getByRole('button', { name: say('End'), exact: true }).click();
    await expect.poll(async () => (await elsewhere.send('/session')).status).toBe(401);

    await page.goto(`/audit?action=key.disable&target=${key}`);
    await page.getByRole('row', { name: new RegExp(`key.disable console:${person.email} ${key}`) }).waitFor();
  },
);

test.runIf(hasBrowser)('nothing chosen makes no key, and takes no limits away [key-limit-13]', async () => {
  const person = await createParent();
  page = await signedIn(person, '/keys');
  await page.getByRole('button', { name: say('New key', {}, 'access') }).click();
  const dialog = page.getByRole('dialog');
  const make = dialog.getByRole('button', { name: say('Make the key') });
  for (const act of ['read', 'list']) await dialog.getByRole('checkbox', { name: act }).uncheck();
  await make.click();
  await dialog
    .getByRole('alert')
    .getByText(say('Choose at least one act: a key without any may do nothing.'))
    .waitFor();
  await dialog.getByRole('button', { name: say('All acts') }).click();
  await dialog
    .getByRole('alert')
    .getByText(
      say('Choose at least one limit. A key that may do everything is made as one for the whole account.'),
    )
    .waitFor();
  await make.click();
  const bucket = dialog.getByRole('group', { name: say('Buckets', {}, 'access') });
  await bucket.getByRole('button', { name: say('Only these') }).click();
  await dialog
    .getByRole('alert')
    .getByText(say('Name at least one bucket: a key without any may do nothing.'))
    .waitFor();
  const kept = async () => (await keysOf(person)).map(({ kind, limits }) => [kind, limits]);
  expect(await kept()).toEqual([['root', undefined]]);
  await dialog.getByRole('textbox', { name: say('Buckets', {}, 'access') }).fill('photos');
  await make.click();
  await dialog.getByLabel(say('I have stored the secret')).check();
  await dialog.getByRole('button', { name: say('Done', {}, 'access') }).click();
  expect(await kept()).toEqual([
    ['root', undefined],
    ['user', { buckets: ['photos'] }],
  ]);
  const row = page.getByRole('row', { name: /photos/ });
  await row
    .getByRole('button', { name: new RegExp(say('Acts on key {{key}}…', { key: '' }).slice(0, 2)) })
    .click();
  await page.getByRole('menuitem', { name: say('Limits…') }).click();
  await dialog.getByRole('textbox', { name: say('Buckets', {}, 'access') }).fill('');
  await dialog.getByRole('button', { name: say('Set limits') }).click();
  await dialog
    .getByRole('alert')
    .getByText(say('Name at least one bucket: a key without any may do nothing.'))
    .waitFor();
  expect(await kept()).toEqual([
    ['root', undefined],
    ['user', { buckets: ['photos'] }],
  ]);
});

async function keysOf(person: Person): Promise<{ kind: string; limits?: object }[]> {
  const answer = await secureSigned({ method: 'GET', target: '/v1/user/keys' }, { keys: person });
  return answer.json() as { kind: string; limits?: object }[];
}
