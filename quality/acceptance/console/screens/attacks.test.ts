/** A real browser with somebody's session, and pages that want to use it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { auditOf, createParent } from '../../support/accounts/operator.ts';
import { hasBrowser, signedIn } from '../../support/console/browser.ts';
import { target } from '../../support/target.ts';

describe.skipIf(!hasBrowser)('with a session in the browser', () => {
  let person: Person;
  let page: Page;
  let evil: Server;
  let evilUrl: string;
  let bucket: string;

  beforeAll(async () => {
    person = await createParent();
    bucket = `attacks-${person.uid}`;
    await createBucket(target.url, person, bucket);
    page = await signedIn(person);
    evil = createServer((request, answer) => {
      const { url } = target.console;
      const pages: Readonly<Record<string, string>> = {
        '/frame': `<iframe src="${url}/"></iframe>`,
        '/form': `<form method="post" action="${url}/call/uc/private"><input name="bucket" value="${bucket}">
          <input name="private" value="1"></form><script>document.forms[0].submit()</script>`,
      };
      answer.setHeader('content-type', 'text/html').end(pages[request.url ?? ''] ?? 'evil');
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await page?.context().close();
    evil?.close();
  });

  test('its own pages make calls, and no script finds the session', async () => {
    const found = (await page.evaluate(`fetch('/call/uc/buckets').then(({ status }) => ({
      status,
      kept: [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(' '),
    }))`)) as { status: number; kept: string };
    expect(found.status).toBe(200);
    const [cookie] = await page.context().cookies(target.console.url);
    expect(cookie).toMatchObject({ name: '__Host-millpond-session', httpOnly: true, sameSite: 'Strict' });
    expect(found.kept).not.toContain(cookie?.value);
  });

  test('another site’s form, script or frame gets nowhere', async () => {
    const other = await page.context().newPage();
    const [answer] = await Promise.all([
      other.waitForResponse((each) => each.url().endsWith('/call/uc/private')),
      other.goto(`${evilUrl}/form`).catch(() => undefined),
    ]);
    expect(answer.status()).toBe(403);
    await other.goto(`${evilUrl}/`);
    const fetched = await other.evaluate(async (url) => {
      const ask = (path: string, init: RequestInit) =>
        fetch(`${url}${path}`, { credentials: 'include', ...init }).then(
          () => 'read',
          () => 'refused',
        );
      return [
        await ask('/session', {}),
        await ask('/call/uc/buckets', {}),
        await ask('/session', { method: 'DELETE', headers: { 'x-millpond-console': '1' } }),
      ];
    }, target.console.url);
    expect(fetched).toEqual(['refused', 'refused', 'refused']);
    await other.goto(`${evilUrl}/frame`);
    const framed = other.frames().find((frame) => frame !== other.mainFrame());
    expect(await framed?.locator('#root').count()).toBe(0);
    await other.close();
    expect(await page.evaluate(async () => (await fetch('/session')).status)).toBe(200);
    // Others may well have done it.
    const done = await auditOf('POST /uc/private');
    expect(done.filter(({ actor }) => actor?.includes(person.email))).toEqual([]);
  });

  test('stored pages don’t run', async () => {
    const hostile = '<script>document.title = "it ran";</script>';
    const token = uploadToken(person, { scope: bucket });
    for (const [key, mimeType] of [
      ['page.html', 'text/html'],
      ['page.svg', 'image/svg+xml'],
      ['page.txt', 'text/plain'],
    ] as const) {
      const text =
        mimeType === 'image/svg+xml' ? `<svg xmlns="http://www.w3.org/2000/svg">${hostile}</svg>` : hostile;
      expect((await uploadForm(target.url, text, { token, key, mimeType })).status).toBe(200);
      const path = `/call/io/${bucket}/${key}`;
      const opened = await page.context().newPage();
      // What a browser could run is saved, not shown.
      await opened.goto(`${target.console.url}${path}`).catch(() => undefined);
      expect(await opened.title()).not.toBe('it ran');
      await opened.close();
    }
  });
});
