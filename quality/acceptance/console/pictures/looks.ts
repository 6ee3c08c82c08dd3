/**
 * Every scene as a picture in every look, to be looked at: `MILLPOND_TEST_LOOKS=FOLDER npm run console:pictures`. What is taller than the
 * window is there a second time as `…-whole`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { createParent } from '../../support/accounts/operator.ts';
import { type Look, openPage, PHONE, signedIn, WIDE } from '../../support/console/browser.ts';
import { type Studio, studio } from '../../support/console/studio.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { target } from '../../support/target.ts';
import { doorScenes, emptyScenes, operatorScenes, type Scene, studioScenes } from './scenes.ts';
import { settled } from './settled.ts';

const FOLDER = path.resolve(process.env.MILLPOND_TEST_LOOKS ?? '');
/** Only scenes whose names contain it. */
const ONLY = process.env.MILLPOND_TEST_SCENES ?? '';
const TALLEST = 4000;

const looks: Readonly<Record<string, Look & { readonly size: typeof WIDE }>> = {
  'wide-light': { size: WIDE, theme: 'light', language: 'en' },
  'wide-dark': { size: WIDE, theme: 'dark', language: 'zh-CN' },
  'phone-light': { size: PHONE, theme: 'light', language: 'zh-CN' },
  'phone-dark': { size: PHONE, theme: 'dark', language: 'en' },
};

const receiver = useReceiver();
let seen: Studio;
let newcomer: { readonly email: string; readonly password: string };

beforeAll(async () => {
  [seen, newcomer] = await Promise.all([studio(receiver), createParent()]);
});

describe.each(Object.entries(looks))('%s', (name, look) => {
  const folder = path.join(FOLDER, name);
  beforeAll(() => mkdir(folder, { recursive: true }));

  test('at the door', async () => take(await openPage(look), doorScenes));
  test('of the studio', async () => take(await signedIn(seen.person, '/', look), studioScenes(seen)));
  test('of somebody new', async () => take(await signedIn(newcomer, '/', look), emptyScenes));
  test('of an operator', async () =>
    take(await signedIn(target.console.operator, '/', look), operatorScenes));

  async function take(page: Page, scenes: readonly Scene[]): Promise<void> {
    const shown = scenes.filter(
      ({ isWide, name: scene }) => scene.includes(ONLY) && (!isWide || look.size === WIDE),
    );
    for (const scene of shown) {
      await page.goto(scene.at);
      await settled(page);
      await scene.act?.(page);
      await page.waitForLoadState('networkidle');
      const file = path.join(folder, scene.name);
      await page.screenshot({ path: `${file}.png` });
      const height = look.size.height + (await hiddenHeight(page));
      if (height > look.size.height) {
        await page.setViewportSize({ ...look.size, height: Math.min(height, TALLEST) });
        await settled(page);
        await page.screenshot({ path: `${file}-whole.png` });
        await page.setViewportSize(look.size);
      }
      await page.context().setOffline(false);
    }
    await page.context().close();
  }
});

/** How much higher the window had to be for everything to fit. */
function hiddenHeight(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(0, ...[...document.querySelectorAll("main, main *, .modal-body")].map((each) => each.scrollHeight - each.clientHeight > 24 && /auto|scroll/.test(getComputedStyle(each).overflowY) ? each.scrollHeight - each.clientHeight : 0))',
  );
}
