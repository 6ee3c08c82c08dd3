/**
 * The client in a real browser: an upload in parts whose page is reloaded in the middle goes on where it was. With
 * MILLPOND_TEST_BROWSER_MIB another size than the short form's is uploaded.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { UploadProgress, UploadResult } from '@millpond/client';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';
import { type Site, startSite } from './site.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (CHROMIUM === undefined) console.warn('left out: tests in a browser, because chromium is not installed');
const MIB = 1024 * 1024;
const SIZE = Number(process.env.MILLPOND_TEST_BROWSER_MIB ?? 24) * MIB + 12_345;
const PARTS = Math.ceil(SIZE / (4 * MIB));
/** Bits a second of each part: slow enough that the page is reloaded in the middle. */
const TRAFFIC_LIMIT = SIZE > 100 * MIB ? 800_000_000 : 33_554_432;

let browser: Browser;
let site: Site;
let folder: string;
const client = sdkClient();

beforeAll(async () => {
  if (CHROMIUM === undefined) return;
  folder = await mkdtemp(path.join(tmpdir(), 'mp-browser-'));
  site = await startSite();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** The same bytes, whenever they are made. */
function contentOf(size: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = 123_456_789;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, size);
}

interface Task {
  readonly url: string;
  readonly token: string;
  readonly key: string;
  readonly file: string;
  /** Bytes after which the page is reloaded. */
  readonly reloadAt?: number;
}

async function newFile(name: string, size: number): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, contentOf(size));
  return file;
}

/**
 * Chooses the file in the page and begins its upload, which goes on by itself; `window.told` and `window.result` say how far
 * it is.
 */
async function begin(page: Page, task: Task): Promise<void> {
  await page.waitForFunction('window.client !== undefined');
  await page.setInputFiles('input', task.file);
  await page.evaluate(`(() => {
    const { url, token, key, reloadAt = Infinity } = ${JSON.stringify(task)};
    const [file] = document.querySelector('input').files;
    window.told = [];
    const journal = window.client.storageJournal(localStorage);
    window.client.createUploader({ url, journal })
      .upload(file, { token, key, concurrency: 2, onProgress: (progress) => {
        window.told.push(progress);
        // Once, in the middle, by itself: nobody has to be quick enough.
        if (progress.done < reloadAt || sessionStorage.before) return;
        sessionStorage.before = progress.done;
        location.reload();
      } })
      .then((result) => { window.result = result; }, (error) => { window.result = { error: String(error), code: error.code }; });
  })()`);
}

const told = (page: Page) => page.evaluate<UploadProgress[]>('window.told');

test.skipIf(CHROMIUM === undefined)(
  'an upload goes on after its page was reloaded, and its progress is right',
  async () => {
    const bucket = await newBucket();
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url());
    });
    const token = client.uploadToken({ scope: `${bucket}:k`, trafficLimit: TRAFFIC_LIMIT });
    const task = { url: target.url, token, key: 'k', file: await newFile('holiday.mov', SIZE) };

    await page.goto(site.url);
    await begin(page, { ...task, reloadAt: 8 * MIB });
    await page.waitForFunction('sessionStorage.before && window.told === undefined', undefined, {
      timeout: 300_000,
    });
    const before = Number(await page.evaluate('sessionStorage.before'));
    const sentBefore = sent.length;

    await begin(page, task);
    await page.waitForFunction('window.result !== undefined', undefined, { timeout: 300_000 });
    const result = await page.evaluate<UploadResult>('window.result');
    expect(result).toMatchObject({
      way: 'multipart',
      size: SIZE,
      key: 'k',
      hash: etagOf(hashing, contentOf(SIZE)),
    });
    expect(result.sent).toBeLessThanOrEqual(SIZE - before);
    expect(sent.length - sentBefore).toBeLessThanOrEqual(PARTS - Math.floor(before / (4 * MIB)));

    const progress = await told(page);
    expect(progress[0]).toEqual({ done: 0, total: SIZE, sent: 0 });
    expect(progress.at(-1)).toEqual({ done: SIZE, total: SIZE, sent: result.sent });
    const steps = progress.map(({ done }) => done);
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
    expect(progress).toHaveLength(PARTS + 1);

    expect(await client.objects.stat(bucket, 'k')).toMatchObject({
      fsize: SIZE,
      mimeType: 'video/quicktime',
    });
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  },
);

test.skipIf(CHROMIUM === undefined)('a small file goes by form, and an error arrives whole', async () => {
  const bucket = await newBucket();
  const page = await browser.newPage();
  await page.goto(site.url);
  await begin(page, {
    url: target.url,
    token: client.uploadToken({ scope: bucket }),
    key: 'small ü',
    file: await newFile('small.bin', 100_000),
  });
  await page.waitForFunction('window.result !== undefined', undefined, { timeout: 300_000 });
  const hash = etagOf(hashing, contentOf(100_000));
  expect(await page.evaluate('window.result')).toMatchObject({ way: 'form', hash, key: 'small ü' });
  const got = await page.evaluate(`(async () => {
    const url = ${JSON.stringify(target.url)};
    const { MillpondError, createUploader } = window.client;
    const error = await createUploader({ url }).upload('x', { token: 'a:b:e30=', key: 'k' }).catch((reason) => reason);
    return [error instanceof MillpondError, error.status, error.code, error.reqid !== ''];
  })()`);
  expect(got).toEqual([true, 401, 'badToken', true]);
  await page.close();
});

test.skipIf(CHROMIUM === undefined)(
  'a page downloads whatever the rules of the bucket let it see; the hash only where they expose ETag',
  async () => {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction('window.client !== undefined');
    const rule = { allowed_origin: ['*'], allowed_method: ['GET'], allowed_header: ['*'] };
    for (const [rules, isTold] of [
      [undefined, true],
      [[rule], false],
      [[{ ...rule, exposed_header: ['ETag', 'Content-Range'] }], true],
    ] as const) {
      const bucket = await newBucket();
      const { hash } = await client.upload(bucket, 'k', '0123456789');
      if (rules !== undefined) await client.buckets.setCors(bucket, rules);
      const got = await page.evaluate(`(async () => {
        const url = ${JSON.stringify(client.downloadUrl(bucket, 'k'))};
        const whole = await window.client.download(url);
        const range = await window.client.download(url, { start: 2, end: 5 });
        return [whole.hash, whole.size, await whole.text(), range.size, await range.text()];
      })()`);
      expect(got).toEqual([isTold ? hash : '', 10, '0123456789', isTold ? 10 : 0, '234']);
    }
    await page.close();
  },
);

test.skipIf(CHROMIUM === undefined)(
  'a page gets content that is stored with a coding decoded, whatever the rules of the bucket',
  async () => {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction('window.client !== undefined');
    const rule = { allowed_origin: ['*'], allowed_method: ['GET'], exposed_header: ['ETag'] };
    for (const rules of [undefined, [rule]]) {
      const bucket = await newBucket();
      const responseHeaders = { 'Content-Encoding': 'gzip' };
      const { hash } = await client.upload(bucket, 'k', gzipSync('x'.repeat(9999)), { responseHeaders });
      if (rules !== undefined) await client.buckets.setCors(bucket, rules);
      const got = await page.evaluate(`(async () => {
        const whole = await window.client.download(${JSON.stringify(client.downloadUrl(bucket, 'k'))});
        return [whole.hash, (await whole.text()).length];
      })()`);
      expect(got).toEqual([hash, 9999]);
    }
    await page.close();
  },
);

test.skipIf(CHROMIUM === undefined)('nothing that could sign is loaded by a page', () => {
  const modules = [...site.loaded];
  expect(modules).toContain('/client/src/uploads/uploader.ts');
  expect(modules.filter((name) => /\/client\/src\/(?:node|server)\//.test(name))).toEqual([]);
});
