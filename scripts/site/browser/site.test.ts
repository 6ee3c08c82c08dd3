/**
 * The built site in a browser, from a plain static server: what readers find by their words, that nothing is cut on a screen or a phone,
 * and what every page offers. `MILLPOND_TEST_SITE` is the folder; `MILLPOND_TEST_SITE_REPOSITORY` the address that it was built with;
 * with `MILLPOND_TEST_SITE_PAGES=all` every page is looked at.
 */
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contents } from '../contents.ts';
import { addressOf } from '../page.ts';
import { type ServedSite, serveSite } from './serve.ts';

const {
  MILLPOND_TEST_SITE = path.join(import.meta.dirname, '../../../.site'),
  MILLPOND_TEST_SITE_REPOSITORY: repository,
  MILLPOND_TEST_SITE_PAGES,
} = process.env;
const EVERY = contents.flatMap((section) => section.pages);
/** Those with the widest tables, the longest words and the most pictures. */
const SOME = [
  'README.md',
  'docs/clients.md',
  'docs/examples.md',
  'docs/reference/configuration.md',
  'docs/zh-CN/uploads.md',
];
const looked = (MILLPOND_TEST_SITE_PAGES === 'all' ? EVERY : SOME).map(addressOf);

let site: ServedSite;
let browser: Browser;

beforeAll(async () => {
  site = await serveSite(MILLPOND_TEST_SITE);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** A page of its own, which nothing was clicked on before. */
async function on<Value>(
  address: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<Value>,
): Promise<Value> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  try {
    const page = await context.newPage();
    await page.goto(`${site.url}/${address}`, { waitUntil: 'networkidle' });
    return await look(page);
  } finally {
    await context.close();
  }
}

/** Where the first hit of a search leads. */
async function firstHit(page: Page, words: string): Promise<string> {
  await page.locator('.DocSearch-Button').first().click();
  const input = page.locator('#localsearch-input');
  await input.fill(words);
  const hit = page.locator('#localsearch-list a.result').first();
  await hit.waitFor();
  // Hits come as the words are typed; those of the last one stay.
  await page.waitForTimeout(500);
  const address = new URL((await hit.getAttribute('href')) ?? '', site.url);
  await page.keyboard.press('Escape');
  return decodeURIComponent(address.pathname + address.hash);
}

describe('what readers type leads to the page that answers it', () => {
  const wanted: readonly (readonly [start: string, words: string, page: string])[] = [
    ['/', 'thumbnail', '/docs/images.html'],
    ['/', 'hls', '/docs/live.html'],
    ['/', 'docker', '/deploy/'],
    ['/', 'cache-control', '/docs/metadata.html'],
    ['/', 'MILLPOND_DRAIN_DELAY', '/docs/reference/configuration.html'],
    ['/', 'callback', '/docs/uploads.html#callbacks'],
    ['/', 'webhook', '/docs/webhooks.html'],
    ['/', 'presigned', '/docs/s3.html'],
    ['/', 'private url', '/docs/signing.html'],
    ['/', 'resumable', '/docs/uploads.html#resumable-uploads'],
    ['/', 'cors', '/docs/buckets.html#cors'],
    ['/', 'quota', '/docs/buckets.html#quota'],
    ['/', 'lifecycle', '/docs/buckets.html#lifecycle-rules'],
    ['/', 'transcode', '/docs/processing'],
    ['/', 'watermark', '/docs/images.html#watermarks'],
    ['/', 'rtmp', '/docs/live.html'],
    ['/', 'python', '/docs/python.html'],
    ['/', 'kubernetes', '/docs/kubernetes.html'],
    ['/', 'backup', '/docs/production.html#backup-and-restore'],
    ['/', 'upgrade', '/docs/production.html#upgrades'],
    ['/', 'metrics', '/docs/metrics.html'],
    ['/', 'three servers', '/docs/three-servers.html'],
    ['/', 'keepalived', '/docs/three-servers.html'],
    ['/', 'patroni', '/docs/high-availability.html'],
    ['/docs/zh-CN/', '回调', '/docs/zh-CN/uploads.html#回调'],
    ['/docs/zh-CN/', '断点续传', '/docs/zh-CN/uploads.html#断点续传分片上传'],
    ['/docs/zh-CN/', '签名', '/docs/zh-CN/signing.html'],
    ['/docs/zh-CN/', '备份', '/docs/zh-CN/production.html#备份和恢复'],
  ];
  let pages: Map<string, Page>;
  beforeAll(async () => {
    pages = new Map();
    for (const start of ['/', '/docs/zh-CN/']) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto(site.url + start, { waitUntil: 'networkidle' });
      pages.set(start, page);
    }
  });

  test.each(wanted)('from %s: %s', async (start, words, target) => {
    const page = pages.get(start);
    expect(page).toBeDefined();
    if (page !== undefined) expect(await firstHit(page, words)).toContain(target);
  });
});

describe.each([1440, 390])('at %d px', (width) => {
  test('no page that is looked at is wider than the screen, misses a file or throws', async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
    });
    for (const address of looked) {
      await page.goto(`${site.url}/${address}`);
      const excess = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (excess !== 0) faults.push(`${address} is ${String(excess)} px too wide`);
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.VPSidebarItem .text, .VPNavBar .content-body > *')].filter((one) => one.offsetParent !== null && one.getBoundingClientRect().right > innerWidth).length`,
      );
      if (cut !== 0) faults.push(`${address}: ${String(cut)} parts of the navigation are cut`);
      // On a phone they are moved to the side. 16 px are the padding of the last column.
      const tables = await page.evaluate(
        `[...document.querySelectorAll('.vp-doc table')].filter((one) => one.scrollWidth > one.clientWidth + 16).length`,
      );
      if (width > 1000 && tables !== 0) faults.push(`${address}: ${String(tables)} tables are cut`);
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});

describe('every page', () => {
  const hrefOf = async (page: Page, selector: string) =>
    decodeURIComponent(
      new URL((await page.locator(selector).first().getAttribute('href')) ?? '', page.url()).href,
    );

  test('is dark where the reader is in the dark, and as they then choose', async () => {
    const darkness =
      'getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).every((part) => part < 64)';
    await on('docs/uploads.html', { colorScheme: 'light' }, async (page) =>
      expect(await page.evaluate(darkness)).toBe(false),
    );
    await on('docs/uploads.html', { colorScheme: 'dark' }, async (page) => {
      expect(await page.evaluate(darkness)).toBe(true);
      await page.locator('.VPNavBarAppearance .VPSwitch').click();
      await expect.poll(() => page.evaluate(darkness)).toBe(false);
      await page.reload();
      expect(await page.evaluate(darkness)).toBe(false);
    });
  });

  test('shows a picture in the colours of the page', async () => {
    const shown = `[...document.querySelectorAll('.vp-doc img')].filter((one) => one.offsetParent !== null).map((one) => one.src.includes('task-dark') )`;
    for (const colorScheme of ['light', 'dark'] as const)
      await on('', { colorScheme }, async (page) =>
        expect(await page.evaluate(shown)).toEqual([colorScheme === 'dark']),
      );
  });

  test('copies a block of commands as it stands', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await on('docs/first-upload.html', { permissions }, async (page) => {
      const block = page.locator('.vp-doc div[class*="language-"]').nth(1);
      await block.hover();
      await block.locator('button.copy').click();
      await block.locator('button.copy.copied').waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied.trim()).toBe((await block.locator('code').textContent())?.trim());
      expect(copied).toMatch(/^npm install .*\nnpx millpond dev --background\n/);
    });
  });

  test('leads to the one before and the one after, in the order of the contents', async () => {
    await on('docs/downloads.html', {}, async (page) => {
      expect(await hrefOf(page, '.pager-link.prev')).toBe(`${site.url}/docs/uploads.html`);
      expect(await hrefOf(page, '.pager-link.next')).toBe(`${site.url}/docs/signing.html`);
    });
  });

  test('leads to the same page in the other language, by its menu, where there is one', async () => {
    const inOther = async (address: string) =>
      on(address, {}, async (page) => {
        await page.locator('.VPNavBarTranslations').hover();
        await page.locator('.VPNavBarTranslations .VPMenuLink a').click();
        await page.waitForURL((url) => !url.href.endsWith(address));
        await page.locator('.vp-doc h1').waitFor();
        return page.url().slice(site.url.length);
      });
    expect(await inOther('docs/uploads.html')).toBe('/docs/zh-CN/uploads.html');
    expect(await inOther('docs/zh-CN/uploads.html')).toBe('/docs/uploads.html');
    expect(await inOther('docs/images.html')).toBe('/docs/zh-CN/');
  });

  test('has a link for editing it, where the repository is known', async () => {
    for (const [address, file] of [
      ['docs/zh-CN/', 'docs/zh-CN/README.md'],
      ['docs/downloads.html', 'docs/downloads.md'],
    ] as const)
      await on(address, {}, async (page) => {
        const links = await page.locator('.edit-link-button').count();
        expect(links).toBe(repository === undefined ? 0 : 1);
        if (repository !== undefined)
          expect(await hrefOf(page, '.edit-link-button')).toBe(`${repository}/edit/main/${file}`);
      });
  });

  test('is readable without a script, with its links', async () => {
    await on('docs/downloads.html', { javaScriptEnabled: false }, async (page) => {
      await page.locator('.vp-doc a', { hasText: 'signing.md' }).first().click();
      expect(await page.locator('h1').first().textContent()).toContain('Signing');
    });
  });
});
