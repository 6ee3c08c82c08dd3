/** What a reader chose for this browser: nothing of it is secret, and nothing of it is on the server. */
export type Theme = 'light' | 'dark';
export type Language = 'en' | 'zh-CN';
export type Zone = 'browser' | 'UTC';

interface Preferences {
  theme: Theme | undefined;
  language: Language | undefined;
  zone: Zone;
  /** Single letters as shortcuts. */
  letters: boolean;
}

const NAME = 'millpond.preferences';
const NONE: Preferences = { theme: undefined, language: undefined, zone: 'browser', letters: true };

let kept = read();
const watchers = new Set<() => void>();

export function preferences(): Readonly<Preferences> {
  return kept;
}

export function prefer(change: Partial<Preferences>): void {
  kept = { ...kept, ...change };
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  applyTheme();
  for (const watcher of watchers) watcher();
}

export function onPreference(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function currentTheme(): Theme {
  return kept.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

export function currentLanguage(): Language {
  return kept.language ?? (navigator.languages.some((language) => /^zh\b/i.test(language)) ? 'zh-CN' : 'en');
}

/** Before the first picture, so that nothing flashes. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = currentTheme();
  document.documentElement.lang = currentLanguage();
}

function read(): Preferences {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Preferences>) };
  } catch {
    return NONE;
  }
}
