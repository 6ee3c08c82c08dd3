// @module-tag debian
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../site/page.ts';
import { knownFiles } from './known-files.ts';
import { bundledPackage, bundling, publishedPackage } from './package-json.ts';
import { stageDocuments, toJavaScript } from './stage.ts';

const ROOT = path.join(import.meta.dirname, '../..');

test('types go, lines stay, and relative imports name JavaScript', () => {
  const source = [
    "import { a, type B } from './a.ts';",
    "export { c } from '../c/index.ts';",
    "import type { D } from './d.ts';",
    "const later = await import('./later.ts');",
    "const text: string = 'not ./this.ts';",
    'export function f(x: number): B | undefined {',
    '  return x as unknown as B;',
    '}',
  ].join('\n');
  const lines = toJavaScript(source).split('\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^import \{ a, +\} from '\.\/a\.js';$/);
  expect(lines[1]).toBe("export { c } from '../c/index.js';");
  expect(lines[2]?.trim()).toBe('');
  expect(lines[3]).toBe("const later = await import('./later.js');");
  expect(lines[4]).toMatch(/^const text +='? ?.*'not \.\/this\.ts';$/);
  expect(lines[5]?.replace(/\s+/g, ' ')).toBe('export function f(x ) {');
});

test('a published package names JavaScript and types, and nothing of development', () => {
  const source = {
    name: '@millpond/x',
    version: '1.2.3',
    private: true,
    exports: { '.': { browser: './src/page.ts', default: './src/index.ts' }, './door': './src/door.ts' },
    dependencies: { pg: '8.0.0' },
    devDependencies: { vitest: '5.0.0' },
  };
  expect(publishedPackage(source, '>=24')).toEqual({
    name: '@millpond/x',
    version: '1.2.3',
    exports: {
      '.': {
        browser: { types: './src/page.d.ts', default: './src/page.js' },
        default: { types: './src/index.d.ts', default: './src/index.js' },
      },
      './door': { types: './src/door.d.ts', default: './src/door.js' },
    },
    dependencies: { pg: '8.0.0' },
    engines: { node: '>=24' },
    publishConfig: { access: 'public' },
  });
});

test('a package that brings others says so, and needs what they need', () => {
  const inner = { name: '@millpond/inner', version: '1.2.3', private: true, dependencies: { pg: '8.0.0' } };
  const outer = { name: '@millpond/outer', version: '1.2.3', dependencies: { '@millpond/inner': '1.2.3' } };
  expect(bundling(outer, [inner])).toEqual({
    ...outer,
    dependencies: { '@millpond/inner': '1.2.3', pg: '8.0.0' },
    bundleDependencies: ['@millpond/inner'],
  });
  const exports = { '.': './src/index.ts', './testing': './src/testing.ts' };
  expect(bundledPackage({ ...inner, exports }, '>=24')).toEqual({
    ...inner,
    exports: { '.': { types: './src/index.d.ts', default: './src/index.js' } },
    engines: { node: '>=24' },
  });
});

test('no link of the packed README, nor of a page that is packed with it, leads out of the package', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-documents-'));
  try {
    await stageDocuments(knownFiles(ROOT), folder);
    for (const file of ['LICENSE', 'NOTICE']) await cp(path.join(ROOT, file), path.join(folder, file));
    const pages = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'));
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/uploads.md', 'deploy/nginx/README.md']));
    const lost: string[] = [];
    for (const page of pages) {
      const { links } = readPage(await readFile(path.join(folder, page), 'utf8'));
      const files = links.map((link) => link.split('#')[0] ?? '').filter((file) => file !== '');
      lost.push(
        ...files
          .filter((file) => !existsSync(path.join(folder, path.dirname(page), file)))
          .map((file) => `${page}: ${file}`),
      );
    }
    expect(lost).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
