/** What operators do: see what failed and whose it is, act for an account, disable one, look at the engines. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { info } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('en');
const receiver = useReceiver();
const bucket = `operated-${Date.now().toString(36)}`;
let page: Page;
afterEach(() => closePage(page));

test.runIf(hasBrowser)('an operator acts for the account whose callback failed, and leaves', async () => {
  const person = await createParent();
  await createBucket(target.url, person, bucket);
  const refusing = receiver.at((response) => response.writeHead(503).end('closed for today'));
  const policy = { scope: bucket, callbackUrl: refusing.url, callbackBody: 'key=$(key)' };
  const token = uploadToken(person, policy);
  page = await signedIn(target.console.operator, '/engines');
  const gateway = page.getByRole('row', { name: new RegExp(`^${say('Gateway')} .* runs`) });
  await gateway.first().waitFor();
  // The newest of all accounts, for a moment: other tests make failures, too.
  expect((await uploadForm(target.url, 'hello', { token, key: 'of-another.txt' })).status).toBe(579);
  const main = page.getByRole('navigation', { name: say('Main') }).first();
  await main.getByRole('link', { name: say('Overview') }).click();
  const row = page.getByRole('row', { name: new RegExp(`${bucket}:of-another.txt`) });
  await row.getByRole('link', { name: say('delivery') }).click();
  const acting = page.getByText(
    say('You act for {{email}}. The audit log says so.', { email: person.email }),
  );
  await acting.waitFor();
  expect(new URL(page.url()).searchParams.get('account')).toBe(String(person.uid));
  await page.getByRole('heading', { name: say('Upload callback') }).waitFor();
  await page.goBack();
  await row.getByRole('button', { name: say('Resend') }).click();
  await expect.poll(() => refusing.requests.length).toBe(2);

  // It stays, from screen to screen and after a reload.
  await main.getByRole('button', { name: new RegExp(`^${say('All accounts')}`) }).click();
  await page.getByLabel(say('E-mail begins with')).fill(person.email.slice(0, -4));
  await page.getByRole('link', { name: person.email }).click();
  await acting.waitFor();
  await main.getByRole('link', { name: say('Buckets') }).click();
  await page.getByRole('link', { name: bucket }).waitFor();
  await page.reload();
  await acting.waitFor();
  await page.getByRole('link', { name: say('Leave') }).click();
  await acting.waitFor({ state: 'detached' });

  await main.getByRole('link', { name: say('Accounts') }).click();
  await page.getByLabel(say('E-mail begins with')).fill(person.email);
  const account = page.getByRole('row', { name: new RegExp(person.email) });
  await account.getByRole('button', { name: say('Disable') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Disable') })
    .click();
  await account.getByRole('button', { name: say('Enable') }).waitFor();
  await expect.poll(async () => (await info(person)).status).toBe(401);
  await account.getByRole('button', { name: say('Enable') }).click();
  await expect.poll(async () => (await info(person)).status).toBe(200);
});
