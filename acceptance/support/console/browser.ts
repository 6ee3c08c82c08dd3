/**
 * The console in a real browser, as its users have it: one browser for all files, a context of its own for each page. Nothing may
 * appear in the page's log, and every picture is looked at by axe.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { target } from '../target.ts';

/** Where the pictures of a run are kept. */
const PICTURES = path.join(import.meta.dirname, '../../../.build/pictures');
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

export interface Look {
  readonly language?: 'en' | 'zh-CN';
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
}

let browser: Promise<Browser> | undefined;

function theBrowser(): Promise<Browser> {
  browser ??= chromium.connect(inject('browser') ?? '');
  return browser;
}

/** False where no browser is installed: such tests are left out, and the set-up says so. */
export const hasBrowser: boolean = inject('browser') !== undefined;

/** A page that nobody has signed in at. */
export async function openPage({ language = 'en', theme = 'light', size = WIDE }: Look = {}): Promise<Page> {
  const context: BrowserContext = await (await theBrowser()).newContext({
    baseURL: target.console.url,
    ignoreHTTPSErrors: true,
    viewport: size,
    locale: language,
    colorScheme: theme,
    // Otherwise a picture may show half of a transition.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser itself writes a line for every answer that is an error; those are the screens' to show.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  faultsOf.set(page, faults);
  return page;
}

const faultsOf = new WeakMap<Page, string[]>();

async function signInAt(
  page: Page,
  who: { readonly email: string; readonly password: string },
  address = '/',
): Promise<void> {
  await page.goto(address);
  await page.locator('input[name=email]').fill(who.email);
  await page.locator('input[name=password]').fill(who.password);
  await page.locator('button[type=submit]').click();
  await page.locator('.app').waitFor();
}

/** Signed in, at this address. */
export async function signedIn(
  who: { readonly email: string; readonly password: string },
  address = '/',
  look: Look = {},
): Promise<Page> {
  const page = await openPage(look);
  await signInAt(page, who, address);
  return page;
}

export async function closePage(page: Page): Promise<void> {
  expect(faultsOf.get(page)).toEqual([]);
  await page.context().close();
}

/**
 * Takes the pictures of a screen, light and dark, wide and on a phone, and has axe look at each. The page is left as it was.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const before = page.viewportSize() ?? WIDE;
  for (const [size, width] of [
    [WIDE, 'wide'],
    [PHONE, 'phone'],
  ] as const) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.screenshot({ path: path.join(PICTURES, `${name}-${width}-${theme}.png`) });
      expect(await faultsOfAccess(page), `${name}, ${width}, ${theme}`).toEqual([]);
    }
  }
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  await page.setViewportSize(before);
}

let axe: Promise<string> | undefined;

/** What is against WCAG 2.2 AA, and where. */
async function faultsOfAccess(page: Page): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axe);
  const { violations } = await page.evaluate(
    (): Promise<AxeResults> =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
      }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target: at, failureSummary }) =>
        `${id} at ${at.join(' ')}: ${failureSummary?.split('\n').slice(1).join(' ')}`,
    ),
  );
}
