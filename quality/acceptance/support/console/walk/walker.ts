/**
 * A page that goes from screen to screen without a reload, as people do, and looks at each for everything that must be true of all
 * of them. What it finds it says in words, so that one run shows the faults of all screens.
 */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { target } from '../../target.ts';
import { accessibilityProblems, type Look, openPage, PHONE, WIDE } from '../browser.ts';
import { wordsIn } from '../words.ts';
import { hostileNames } from './hostile-names.ts';
import type { ScreenVisit } from './screen-visits.ts';

const IN_PAGE = path.join(import.meta.dirname, 'in-page.js');

const names = new Set(hostileNames);
const english = wordsIn('en');
/** What keys begin with: `nav.` of `nav.overview`. */
const subjects = new Set(Object.keys(english).flatMap((key) => key.match(/(?<= )[a-z-]+(?=\.)/i) ?? []));
/** Sentences that Chinese says in other words. */
const sentences = new Set(
  Object.values(english).filter((text) => text.includes(' ') && !text.includes('{{')),
);
for (const text of Object.values(wordsIn('zh-CN'))) sentences.delete(text);

export interface Walker {
  readonly page: Page;
  /** Measures the page that was loaded last. */
  figures(): Promise<PageMetrics>;
  /** The addresses that the router knows. */
  routes(): Promise<string[]>;
  /** What is wrong with the screen there. */
  look(visit: ScreenVisit): Promise<string[]>;
}

/** What it took until the page was there. */
export interface PageMetrics {
  readonly requests: number;
  /** As sent: compressed. */
  readonly bytes: number;
  /** How often it waited for the network before it showed something. */
  readonly trips: number;
  /** How far things moved that nobody had touched; browsers call it cumulative layout shift. */
  readonly shift: number;
}

export interface WalkOptions extends Look {
  readonly language: 'en' | 'zh-CN';
  /** The account that an operator looks at. */
  readonly account?: number;
}

/** At the door: nobody has signed in yet. */
export async function openWalker(walkOptions: WalkOptions): Promise<Walker> {
  const page = await openPage(walkOptions);
  const strayed: string[] = [];
  const seen = new Set<string>();
  await page.addInitScript({ path: IN_PAGE });
  page.on('dialog', (dialog) => {
    strayed.push(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== target.console.url && protocol !== 'blob:' && protocol !== 'data:')
      strayed.push(`asked ${request.url()}`);
  });
  await page.goto('/sign-in');
  return {
    page,
    figures: () => page.evaluate<PageMetrics>('walk.figures()'),
    routes: () => page.evaluate<string[]>('walk.routes()'),
    async look(visit) {
      const isFirst = !seen.has(visit.route);
      seen.add(visit.route);
      const asked = JSON.stringify([
        visit.route,
        withAccount(visit.at, walkOptions.account),
        visit.shows ?? [],
      ]);
      const missing = await page.evaluate<string[]>(`walk.go(...${asked})`);
      const text = await page.evaluate<string>('document.body.innerText');
      const hidden = (visit.hides ?? []).filter((each) => text.includes(each));
      const faults = [
        ...missing,
        ...hidden.map((each) => `shows ${each}`),
        ...(await page.evaluate<string[]>('walk.faults()')),
        ...strayed.splice(0),
        ...(await translationProblems(page, walkOptions.language)),
        ...(visit.isLure ? [] : await faultsOfLooks(page, walkOptions, isFirst)),
      ];
      return faults.map((fault) => `${walkOptions.language} ${visit.at}: ${fault}`);
    },
  };
}

/** Words that a screen lacks: keys of the catalogue instead of their words, places that were not filled, English between Chinese. */
async function translationProblems(page: Page, language: 'en' | 'zh-CN'): Promise<string[]> {
  const texts = await page.evaluate<string[]>('walk.texts()');
  return texts.flatMap((text) => {
    if (names.has(text)) return [];
    const isKey = /^[a-z-]+(?:\.[\w-]+)+$/i.test(text) && subjects.has(text.replace(/\..*/, ''));
    if (isKey) return [`has no words for ${text}`];
    if (/\{\{\w+\}\}|\bNaN\b|\[object /.test(text)) return [`says ${text}`];
    return language === 'zh-CN' && sentences.has(text) ? [`says in English: ${text}`] : [];
  });
}

function withAccount(at: string, account: number | undefined): string {
  return account === undefined ? at : `${at}${at.includes('?') ? '&' : '?'}account=${account}`;
}

/** What looks different on a phone, in the dark or in another language; the rest of axe's rules need to look once. */
const OF_LOOKS = [
  'color-contrast',
  'target-size',
  'scrollable-region-focusable',
  'landmark-one-main',
  'page-has-heading-one',
  'button-name',
  'link-name',
  'label',
  'valid-lang',
];

/** What axe says, and whether it fits a phone. The dark is looked at once for each screen. */
async function faultsOfLooks(page: Page, { size = WIDE }: WalkOptions, isFirst: boolean): Promise<string[]> {
  if (size.width < WIDE.width)
    return [...(isFirst ? await accessibilityProblems(page, OF_LOOKS) : []), ...(await faultsOfWidth(page))];
  const light = await accessibilityProblems(page);
  const dark = isFirst ? await faultsInTheDark(page) : [];
  await page.setViewportSize(PHONE);
  const narrow = await faultsOfWidth(page);
  await page.setViewportSize(size);
  return [...light, ...dark, ...narrow];
}

async function faultsInTheDark(page: Page): Promise<string[]> {
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  const faults = await accessibilityProblems(page, ['color-contrast']);
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  return faults.map((fault) => `dark: ${fault}`);
}

function faultsOfWidth(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('walk.faultsOfWidth()');
}
