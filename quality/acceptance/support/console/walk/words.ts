/** Words that a screen lacks: keys of the catalogue instead of their words, places that were not filled, English between Chinese. */
import type { Page } from 'playwright-core';
import { wordsIn } from '../words.ts';
import { hostileNames } from './hostile-names.ts';

const names = new Set(hostileNames);
const english = wordsIn('en');
/** What keys begin with: `nav.` of `nav.overview`. */
const subjects = new Set(Object.keys(english).flatMap((key) => key.match(/(?<= )[a-z-]+(?=\.)/i) ?? []));
/** Sentences that Chinese says in other words. */
const sentences = new Set(
  Object.values(english).filter((text) => text.includes(' ') && !text.includes('{{')),
);
for (const text of Object.values(wordsIn('zh-CN'))) sentences.delete(text);

export async function translationProblems(page: Page, language: 'en' | 'zh-CN'): Promise<string[]> {
  const texts = await page.evaluate<string[]>('walk.texts()');
  return texts.flatMap((text) => {
    if (names.has(text)) return [];
    const isKey = /^[a-z-]+(?:\.[\w-]+)+$/i.test(text) && subjects.has(text.replace(/\..*/, ''));
    if (isKey) return [`has no words for ${text}`];
    if (/\{\{\w+\}\}|\bNaN\b|\[object /.test(text)) return [`says ${text}`];
    return language === 'zh-CN' && sentences.has(text) ? [`says in English: ${text}`] : [];
  });
}
