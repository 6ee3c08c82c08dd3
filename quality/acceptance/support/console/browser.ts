/**
 * The console in a real browser, as its users have it: one browser for all files, a context of its own for each page. Nothing may
 * appear in the page's log.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { signIn } from '@millpond/testing';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';
import { target } from '../target.ts';
import { type Language, languageOfPages } from './words.ts';

export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Look {
  /** The file's, if nothing is said. */
  readonly language?: Language;
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** What the browser says it is. */
  readonly agent?: string;
}

let browser: Promise<Browser> | undefined;

function theBrowser(): Promise<Browser> {
  browser ??= chromium.connect(inject('browser') ?? '');
  return browser;
}

/** False where no browser is installed: such tests are left out, and the set-up says so. */
export const hasBrowser: boolean = inject('browser') !== undefined;

/** A page that nobody has signed in at. */
export async function openPage({
  language = languageOfPages(),
  theme = 'light',
  size = WIDE,
  agent,
}: Look = {}): Promise<Page> {
  const context: BrowserContext = await (await theBrowser()).newContext({
    baseURL: target.console.url,
    ignoreHTTPSErrors: true,
    viewport: size,
    locale: language,
    colorScheme: theme,
    // Otherwise a picture may show half of a transition.
    reducedMotion: 'reduce',
    ...(agent === undefined ? {} : { userAgent: agent }),
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

export async function signInAt(
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

/** Signed in, at this address: without the form, which has tests of its own. */
export async function signedIn(
  who: { readonly email: string; readonly password: string },
  address = '/',
  look: Look = {},
): Promise<Page> {
  // Not by an access key, if `who` has one.
  const { email, password } = who;
  const [page, { cookie }] = await Promise.all([openPage(look), signIn(target.console, { email, password })]);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const { url } = target.console;
  await page.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(address);
  await page.locator('.app').waitFor();
  return page;
}

/** One page for all tests of a file, which go to their addresses with it: a new one takes longer than most of them. */
export function usePage(
  who: () => { readonly email: string; readonly password: string },
): (address: string) => Promise<Page> {
  let page: Page | undefined;
  afterAll(async () => {
    if (page !== undefined) await closePage(page);
  });
  return async (address) => {
    if (page === undefined) page = await signedIn(who(), address);
    else await page.goto(address);
    return page;
  };
}

export async function closePage(page: Page): Promise<void> {
  expect(faultsOf.get(page)).toEqual([]);
  await page.context().close();
}

let axe: Promise<string> | undefined;

/** What is against WCAG 2.2 AA, and where. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axe);
  const { violations } = await page.evaluate(
    (only): Promise<AxeResults> =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
        // It would load all styles again.
        preload: false,
      }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target: at, failureSummary }) =>
        `${id} at ${at.join(' ')}: ${failureSummary?.split('\n').slice(1).join(' ')}`,
    ),
  );
}
