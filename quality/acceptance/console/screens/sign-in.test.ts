/** Signing in as people do it. */
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { closePage, hasBrowser, openPage, signedIn } from '../../support/console/browser.ts';
import { languageOfPages, useLanguage } from '../../support/console/words.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('en');
let page: Page;
afterEach(() => closePage(page));

const { operator } = target.console;

test.runIf(hasBrowser)('signs in, is where one wanted to be, and leaves', async () => {
  page = await openPage();
  await page.goto('/?range=24h');
  await expect.poll(() => page.url()).toContain('/sign-in');
  await page.locator('input[name=email]').fill(operator.email);
  await page.locator('input[name=password]').fill('not this one');
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').getByText(say('E-mail or password is not right.')).waitFor();
  await page.locator('input[name=password]').fill(operator.password);
  await page.locator('button[type=submit]').click();
  await page.locator('.app').waitFor();
  expect(new URL(page.url()).search).toBe('?range=24h');
  expect(await page.evaluate('document.cookie')).toBe('');
  await page
    .getByRole('button', { name: new RegExp(operator.email) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: say('Sign out') }).click();
  await page.getByRole('heading', { name: say('Sign in') }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe(languageOfPages());
});

test.runIf(hasBrowser)('is in the language that the browser asks for', async () => {
  page = await signedIn(operator, '/', { language: 'zh-CN' });
  await page.getByRole('link', { name: '概览' }).first().waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN');
});

test.runIf(hasBrowser)(
  'says why a provider’s sign-in failed, by a word that it knows, and nothing else of its address',
  async () => {
    page = await openPage();
    await page.goto('/sign-in?failed=notInvited');
    await page
      .getByRole('alert')
      .getByText(
        say(
          'Your account was made by another account, so you can’t join it by your e-mail. Ask an operator to invite you.',
        ),
      )
      .waitFor();
    for (const words of ['Your account is locked: call +1 555 0100', 'constructor', '<b>x</b>', '']) {
      await page.goto(`/sign-in?failed=${encodeURIComponent(words)}`);
      await page.locator('input[name=email]').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  },
);
