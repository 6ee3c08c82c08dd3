/** The built site in a browser, from a plain static server: what readers find by their words, and that nothing is cut on a screen or a phone. */
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contents } from '../contents.ts';
import { addressOf } from '../page.ts';

const SITE = path.join(import.meta.dirname, '../../../.site');
const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' },
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2' },
};

let server: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const file = asked.endsWith('/') ? `${asked}index.html` : asked;
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    createReadStream(path.join(SITE, path.posix.normalize(file)))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Where the first hit of a search leads. */
async function firstHit(page: Page, words: string): Promise<string> {
  await page.locator('.DocSearch-Button').first().click();
  const input = page.locator('#localsearch-input');
  await input.fill(words);
  const hit = page.locator('#localsearch-list a.result').first();
  await hit.waitFor();
  // Hits come as the words are typed; those of the last one stay.
  await page.waitForTimeout(500);
  const address = new URL((await hit.getAttribute('href')) ?? '', url);
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
    ['/docs/zh-CN/', '回调', '/docs/zh-CN/uploads.html#回调'],
    ['/docs/zh-CN/', '签名', '/docs/zh-CN/signing.html'],
    ['/docs/zh-CN/', '备份', '/docs/zh-CN/production.html#备份和恢复'],
  ];
  let pages: Map<string, Page>;
  beforeAll(async () => {
    pages = new Map();
    for (const start of ['/', '/docs/zh-CN/']) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto(url + start, { waitUntil: 'networkidle' });
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
  test('no page is wider than the screen, misses a file or throws', async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
    });
    for (const address of contents.flatMap((section) => section.pages).map(addressOf)) {
      await page.goto(`${url}/${address}`);
      const excess = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (excess !== 0) faults.push(`${address} is ${String(excess)} px too wide`);
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.VPSidebarItem .text, .VPNavBar .content-body > *')].filter((one) => one.offsetParent !== null && one.getBoundingClientRect().right > innerWidth).length`,
      );
      if (cut !== 0) faults.push(`${address}: ${String(cut)} parts of the navigation are cut`);
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});
