/** The classes of style sheets: each is a word, is defined where it is used, and is used where it is defined. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..');
const CLASS = /\.(-?[a-z_][\w-]*)/gi;
/** The only classes of three letters or fewer: each is a word. */
const SHORT_WORDS = new Set([
  'app',
  'art',
  'bad',
  'day',
  'end',
  'key',
  'nav',
  'off',
  'ok',
  'one',
  'or',
  'row',
  'sun',
  'tab',
  'tag',
  'top',
  'try',
  'all',
  'url',
  'id',
]);

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const code = files
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCES, file), 'utf8') }));
const sheets = files
  .filter((file) => file.endsWith('.css'))
  .map((file) => ({ file, ...classesOf(readFileSync(path.join(SOURCES, file), 'utf8')) }));
const modules = sheets.filter(({ file }) => file.endsWith('.module.css'));
const shared = new Set(
  sheets.filter(({ file }) => !file.endsWith('.module.css')).flatMap(({ own }) => [...own]),
);

test('every class is a word', () => {
  const names = sheets.flatMap(({ file, own }) => [...own].map((name) => ({ file, name })));
  expect(names.filter(({ name }) => name.length <= 3 && !SHORT_WORDS.has(name))).toEqual([]);
});

test('sheets of components differ in their names, which classes begin with', () => {
  const names = modules.map(({ file }) => path.basename(file));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('sheets of components name shared classes that exist', () => {
  const named = modules.flatMap(({ file, others }) => [...others].map((name) => ({ file, name })));
  expect(named.filter(({ name }) => !shared.has(name))).toEqual([]);
});

test('a component uses the classes of its sheet that exist, and a sheet has only classes that are used', () => {
  const used = new Map(
    modules.map(({ file }) => [
      file,
      { exact: new Set<string>(), begins: [] as string[], ends: [] as string[] },
    ]),
  );
  for (const { file, text } of code)
    for (const [, name = '', from = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)) {
      const uses = used.get(path.join(path.dirname(file), from));
      for (const [, property = ''] of text.matchAll(new RegExp(`(?<!['"\\w.])${name}\\.(\\w+)`, 'g')))
        uses?.exact.add(property);
      for (const [, begin = '', end = ''] of text.matchAll(
        new RegExp(`\\b${name}\\[\`(\\w*)\\$\\{[^}]+\\}(\\w*)\``, 'g'),
      ))
        (end === '' ? uses?.begins : uses?.ends)?.push(end === '' ? begin : end);
    }
  for (const { file, own } of modules) {
    const properties = new Set([...own].map(camelCase));
    const { exact, begins, ends } = used.get(file) ?? { exact: new Set<string>(), begins: [], ends: [] };
    expect({ file, missing: [...exact].filter((name) => !properties.has(name)) }).toEqual({
      file,
      missing: [],
    });
    const isUsed = (name: string) =>
      exact.has(name) ||
      begins.some((begin) => name.startsWith(begin)) ||
      ends.some((end) => name.endsWith(end));
    expect({ file, unused: [...properties].filter((name) => !isUsed(name)) }).toEqual({ file, unused: [] });
  }
});

test('shared sheets have only classes that are used', () => {
  const words = new Set(code.flatMap(({ text }) => text.split(/[^\w-]+/)));
  // `chart-${colour}`: their names are put together.
  const isUsed = (name: string) => words.has(name) || words.has(name.replace(/\d$/, ''));
  expect([...shared].filter((name) => !isUsed(name))).toEqual([]);
});

test('a sheet with a layer begins with the order of the layers: another may be loaded before design/index.css', () => {
  const texts = files
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => ({ file, text: readFileSync(path.join(SOURCES, file), 'utf8') }));
  const without = texts.filter(
    ({ text }) =>
      text.includes('@layer components {') &&
      text.indexOf('@layer tokens, shared, components;') !== text.indexOf('@layer'),
  );
  expect(without.map(({ file }) => file)).toEqual([]);
});

/** What a sheet defines, and what it names of the shared sheets. */
function classesOf(css: string): { readonly own: ReadonlySet<string>; readonly others: ReadonlySet<string> } {
  const selectors = css
    .replace(/\/\*.*?\*\//gs, '')
    .split(/[{};]/)
    .filter(
      (text, at, all) =>
        !text.trimStart().startsWith('@') && all[at + 1] !== undefined && !/^\s*[\w-]+:\s/.test(text),
    );
  const others = selectors.flatMap((text) => text.match(/:global\([^)]*\)/g) ?? []);
  const own = selectors.map((text) => text.replace(/:global\([^)]*\)/g, ''));
  return { own: namesIn(own), others: namesIn(others) };
}

function namesIn(selectors: readonly string[]): ReadonlySet<string> {
  return new Set(selectors.flatMap((text) => [...text.matchAll(CLASS)].map(([, name = '']) => name)));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
