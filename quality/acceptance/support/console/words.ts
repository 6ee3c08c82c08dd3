/**
 * The console's words in either language. A test names them in English, as the catalogue has them, and sees them in the language
 * that it runs in: its file's own, or the one of MILLPOND_TEST_LANGUAGE.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

export type Language = 'en' | 'zh-CN';

const CATALOGUE = path.join(import.meta.dirname, '../../../../packages/console/src/words');

/** By area and key: `objects delete.undo`. */
export function wordsIn(language: Language): Record<string, string> {
  const folder = path.join(CATALOGUE, language);
  const words = readdirSync(folder).flatMap((file) => {
    const area = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, string>;
    return Object.entries(area).map(([key, text]) => [`${path.parse(file).name} ${key}`, text]);
  });
  return Object.fromEntries(words) as Record<string, string>;
}

const catalogue = { en: wordsIn('en'), 'zh-CN': wordsIn('zh-CN') };

type Values = Readonly<Record<string, string | number>>;

/** `where` is what the key begins with, for words that Chinese says in several ways: `access`, or `live recordings.`. */
type Say = (english: string, values?: Values, where?: string) => string;

function said(language: Language, english: string, values: Values, where: string): string {
  const keys = Object.entries(catalogue.en)
    .filter(([key, text]) => text === english && key.startsWith(where))
    .map(([key]) => key);
  if (keys.length === 0) throw new Error(`the console never says “${english}”`);
  // Chinese has one form for all numbers. Both languages fail, so that a test that runs in one runs in the other.
  const chinese = keys.map(
    (key) => catalogue['zh-CN'][key] ?? catalogue['zh-CN'][key.replace(/_one$/, '_other')],
  );
  if (new Set(chinese).size > 1) throw new Error(`“${english}” is said by all of ${keys.join(', ')}`);
  const text = language === 'en' ? english : chinese[0];
  if (text === undefined) throw new Error(`“${english}” is missing in ${language}`);
  return text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined) throw new Error(`“${text}” needs ${place}`);
    return String(value);
  });
}

function languageOfRun(): Language | undefined {
  const { MILLPOND_TEST_LANGUAGE: asked } = process.env;
  if (asked === undefined || asked === 'en' || asked === 'zh-CN') return asked;
  throw new Error(`MILLPOND_TEST_LANGUAGE is en or zh-CN, not ${asked}`);
}

let ofPages: Language | undefined;

/** What pages are opened in. */
export function languageOfPages(): Language {
  return ofPages ?? languageOfRun() ?? 'en';
}

/** The language of a file's pages, if the run asks for no other, and how to say things in it. */
export function useLanguage(ofFile: Language): Say {
  const language = languageOfRun() ?? ofFile;
  beforeAll(() => {
    ofPages = language;
  });
  afterAll(() => {
    ofPages = undefined;
  });
  return (english, values = {}, where = '') => said(language, english, values, where);
}
