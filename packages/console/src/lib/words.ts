/**
 * One catalogue in two languages: `words/<language>/<area>.json`. An area is loaded with the screens that need it. Keys, codes and
 * words of engines are data and are never translated.
 */
import { createInstance, type i18n } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { Words } from '../words/areas.ts';
import { currentLanguage, onPreference } from './preferences.ts';

const files = import.meta.glob<Record<string, string>>('../words/*/*.json', { import: 'default' });

export type Area = keyof Words;
type Plain<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
export type Values = Readonly<Record<string, string | number>>;
export type Say<A extends Area> = (key: Plain<keyof Words[A]>, values?: Values) => string;

const instance: i18n = createInstance();

/** Called once, before anything is shown. */
export async function openWords(): Promise<void> {
  const backend = {
    type: 'backend' as const,
    init() {},
    async read(language: string, area: string): Promise<Record<string, string>> {
      const load = files[`../words/${language}/${area}.json`];
      if (load === undefined) throw new Error(`no words ${language}/${area}`);
      return load();
    },
  };
  await instance
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: currentLanguage(),
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      keySeparator: false,
      nsSeparator: false,
      // React escapes what it shows.
      interpolation: { escapeValue: false },
    });
  onPreference(() => {
    if (instance.language !== currentLanguage()) void instance.changeLanguage(currentLanguage());
  });
}

/**
 * A screen's code, when its words are there too: one that waited for them while it is drawn would be shown 300 ms later, which
 * is how long React leaves what it shows meanwhile.
 */
export async function withWords<T>(code: Promise<T>, ...areas: readonly Area[]): Promise<T> {
  const [loaded] = await Promise.all([code, instance.loadNamespaces([...areas])]);
  return loaded;
}

/** Waits, as Suspense does, until the words of the area are there. */
export function useTranslations<A extends Area>(area: A): Say<A> {
  const { t } = useTranslation(area);
  return t as unknown as Say<A>;
}
