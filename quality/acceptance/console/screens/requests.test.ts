/** A request id leads to each step of its request, to what it caused, and back. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
const receiver = useReceiver();
const bucket = `asked-${Date.now().toString(36)}`;
let page: Page;
afterEach(() => closePage(page));

test.runIf(hasBrowser)('a pasted request id shows who, each step, and what it caused', async () => {
  const person = await createParent();
  await createBucket(target.url, person, bucket);
  const refusing = receiver.at((response) => response.writeHead(503).end('closed for today'));
  const policy = { scope: bucket, callbackUrl: refusing.url, callbackBody: 'key=$(key)' };
  const sent = await uploadForm(target.url, 'hello', { token: uploadToken(person, policy), key: 'k' });
  expect(sent.status).toBe(579);
  const reqid = sent.headers.get('x-reqid') ?? '';

  page = await signedIn(person, '/requests');
  await page.getByLabel(say('Request id')).fill(` ${reqid} `);
  await page.getByRole('button', { name: say('Inspect') }).click();
  await page.getByRole('row', { name: new RegExp(`${say('callback')} .*answered 503`) }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/requests/${reqid}`);
  await page.getByRole('row', { name: new RegExp(`${say('credential')} signature`) }).waitFor();
  await page.getByRole('link', { name: person.accessKey }).waitFor();
  const caused = page.getByRole('region', { name: say('What it caused') }).getByRole('link');
  const delivery = (await caused.textContent()) ?? '';
  await caused.click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/deliveries/${delivery}`);
  await page.getByRole('link', { name: reqid }).click();
  await page.getByRole('row', { name: /answered 503/ }).waitFor();

  // An id that nobody knows is refused, and the refusal's own id leads on.
  await page.goto('/requests/nobody-knows0001');
  const alert = page.getByRole('alert');
  await alert.getByText(say('Nothing is known of this request')).waitFor();
  const own = (await alert.getByRole('link').textContent()) ?? '';
  await alert.getByRole('link').click();
  await page.getByRole('heading', { name: /GET .*\/v1\/requests/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/requests/${own}`);
});
