/** The pictures of the documentation: every screen, in a studio's account that was filled by the public calls. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePage, signedIn } from '../../support/console/browser.ts';
import { type Studio, studio } from '../../support/console/studio.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { target } from '../../support/target.ts';
import { settled } from './settled.ts';

const run = promisify(execFile);
const FOLDER = path.join(import.meta.dirname, '../../../../docs/pictures');
const MAX_PICTURE_BYTES = 150 * 1024;

const receiver = useReceiver();
let seen: Studio;
let page: Page;

beforeAll(async () => {
  seen = await studio(receiver);
  await mkdir(FOLDER, { recursive: true });
});
afterAll(() => closePage(page));

test('of every screen', async () => {
  page = await signedIn(seen.person, '/');
  const here = `/buckets/${seen.bucket}`;
  for (const [name, at] of Object.entries({
    overview: '/',
    buckets: '/buckets',
    objects: `${here}/objects/stills/?key=${encodeURIComponent(seen.still)}`,
    lifecycle: `${here}/lifecycle`,
    styles: `${here}/styles`,
    trash: `${here}/trash`,
    'upload-tokens': `/upload-tokens?bucket=${seen.bucket}&way=prefix&key=stills/`,
    fetches: `/fetches?bucket=${seen.bucket}&url=https://example.com/harbour.jpg`,
    bulk: `/bulk/${seen.bulk}`,
    tasks: '/tasks',
    task: `/tasks/${seen.failed}?item=0`,
    pipelines: '/pipelines',
    templates: '/templates',
    commands: `/commands?bucket=${seen.bucket}&key=stills/${encodeURIComponent(seen.still)}&command=imageView2/1/w/480/h/320`,
    deliveries: `/deliveries/${seen.delivery}?try=1`,
    keys: '/keys',
    accounts: '/accounts',
    audit: '/audit',
    request: `/requests/${seen.reqid}`,
  }))
    await take(name, at);
  await closePage(page);
  page = await signedIn(target.console.operator, '/');
  await take('operator', '/?range=1h');
  await take('engines', '/engines');
});

async function take(name: string, at: string): Promise<void> {
  await page.goto(at);
  await settled(page);
  await keep(page, name);
  // The one of the first page, which readers see in their own theme.
  if (name !== 'task') return;
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  await keep(page, 'task-dark');
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
}

/** With a palette of its own, which takes two thirds off and which nobody sees. */
async function keep(shown: Page, name: string): Promise<void> {
  const [whole, small] = [path.join(FOLDER, `.${name}.png`), path.join(FOLDER, `${name}.png`)];
  try {
    await writeFile(whole, await shown.screenshot());
    const palette = 'split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none';
    await run('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      whole,
      '-vf',
      palette,
      '-compression_level',
      '100',
      small,
    ]);
  } finally {
    await rm(whole, { force: true });
  }
  expect((await readFile(small)).length, name).toBeLessThan(MAX_PICTURE_BYTES);
}
