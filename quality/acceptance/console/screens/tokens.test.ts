/** The builder of upload tokens, and fetches, as their user works with them. */
import { createBucket } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { accessibilityProblems, hasBrowser, usePage } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
let page: Page;
let person: Person;
const bucket = `tokens-${Date.now().toString(36)}`;

beforeAll(async () => {
  person = await createParent();
  await createBucket(target.url, person, bucket);
});
const at = usePage(() => person);

/** What the page says about a token for new keys below `in/<i>`, without the marks of what is bold or code. */
const permits = say(
  'whoever holds this token may store **new keys** of bucket **{{bucket}}** that begin with `{{key}}`. ',
  { bucket, key: 'in/<i>' },
).replace(/[*`]/g, '');
const file = { name: '<b>.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };

test.runIf(hasBrowser)('builds a token, says what it permits, tries it and explains it', async () => {
  page = await at('/upload-tokens');
  await page.getByText(say('Choose the bucket that the token is for.')).waitFor();
  await page.getByLabel(say('Bucket')).selectOption(bucket);
  await page.getByRole('radio', { name: say('Below a prefix') }).check();
  await page.getByRole('textbox', { name: say('Below a prefix') }).fill('in/<i>');
  await page.getByLabel(say('Name, if the client sends none')).fill('in/<i>$(etag)');
  await page.getByText(permits).waitFor();
  await page.getByRole('button', { name: say('Make the token') }).click();
  const token = ((await page.locator('.tokens_token-text pre').textContent()) ?? '').trim();
  expect(token.split(':')).toHaveLength(3);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: say('Upload it') }).click();
  await page.locator('.tokens_upload-response .tag.ok').waitFor();
  await page.getByLabel(say('Key'), { exact: false }).last().fill('elsewhere');
  await page.getByText(say('not within the scope: 403')).waitFor();
  await page.getByRole('button', { name: say('Upload it') }).click();
  await page.getByText(say('The upload was refused')).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // All of the draft is in the address, and nothing of the token.
  await page.reload();
  await page.getByText(permits).waitFor();
  expect(page.url()).not.toContain(token.split(':')[1]);
  await page.getByRole('link', { name: say('Explain a token…') }).click();
  await page.getByRole('textbox', { name: say('Token') }).fill(token);
  await page.getByText(permits).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.runIf(hasBrowser)('a mistake in the policy is said before anything is signed', async () => {
  const fields = encodeURIComponent(JSON.stringify({ forceSaveKey: true }));
  page = await at(`/upload-tokens?bucket=${bucket}&fields=${fields}`);
  await page.getByText('forceSaveKey needs saveKey').waitFor();
  expect(await page.getByRole('button', { name: say('Make the token') }).isDisabled()).toBe(true);
});

test.runIf(hasBrowser)('a fetch that the installation does not allow is refused in its words', async () => {
  page = await at(`/fetches?way=now&bucket=${bucket}&url=http://127.0.0.1:9/x`);
  await page.getByRole('button', { name: say('Fetch'), exact: true }).click();
  await page.getByRole('alert').getByText('origin failed').waitFor();
});
