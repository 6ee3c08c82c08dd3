/** Access as its users have it: a key whose secret is seen once, disabling it, ending a session, and finding both in the audit log. */
import { signIn } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { target } from '../../support/target.ts';

let page: Page;
afterEach(() => closePage(page));

test.runIf(hasBrowser)(
  'a key is made, seen once and disabled; a session is ended; the log has it',
  async () => {
    const person = await createParent();
    const elsewhere = await signIn(target.console, { email: person.email, password: person.password });
    page = await signedIn(person, '/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByText('The secret is shown this once').waitFor();
    const [key = '', secret = ''] = await dialog.locator('.sv code').allTextContents();
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    await dialog.getByLabel('I have stored the secret').check();
    await done.click();
    const row = page.getByRole('row', { name: new RegExp(key) });
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole('button', { name: new RegExp(key.slice(0, 8)) }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('disabled').waitFor();

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await expect.poll(async () => (await elsewhere.send('/session')).status).toBe(401);

    await page.goto(`/audit?action=key.disable&target=${key}`);
    await page.getByRole('row', { name: new RegExp(`key.disable console:${person.email} ${key}`) }).waitFor();
  },
);
