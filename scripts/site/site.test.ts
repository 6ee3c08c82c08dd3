import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMarkdownRenderer, disposeMdItInstance } from 'vitepress';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './check.ts';
import { contents, counterpartOf } from './contents.ts';
import { addressOf, readPage } from './page.ts';
import { missingPaths } from './paths.ts';
import { sourceLinks, webAddressOf } from './source-links.ts';
import { shownByBoth } from './stage.ts';

describe('a page', () => {
  it('has links to other pages and files of the project, and others', () => {
    const { links } = readPage('[a](docs/a.md#b) [c](https://example.com/x.md) [d](../README.md)');
    expect(links).toEqual(['docs/a.md#b', '../README.md']);
  });

  it('gives every heading an address of its own', () => {
    const { headings } = readPage('# A `b` & c\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id, text }) => [id, text])).toEqual([
      ['a-b--c', 'A b & c'],
      ['same', 'Same'],
      ['same-1', 'Same'],
    ]);
  });

  it('has pictures, also one for dark pages, which the site shows as two', () => {
    const both =
      '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="d.png">\n<img alt="a" src="../l.png">\n</picture>';
    expect(readPage(`![x](p/a.png)\n\n${both}\n`).pictures).toEqual(['p/a.png', 'd.png', '../l.png']);
    expect(shownByBoth(both)).toBe('![a](../l.png){.only-light}\n![a](./d.png){.only-dark}');
    const hostile = both.replace('alt="a"', 'alt="a" onerror="x"');
    expect(shownByBoth(hostile)).toBe(hostile);
  });

  it('is served under its name, the first one of a folder as its index', () => {
    expect(addressOf('docs/a.md')).toBe('docs/a.html');
    expect(addressOf('README.md')).toBe('index.html');
    expect(addressOf('deploy/README.md')).toBe('deploy/index.html');
  });
});

describe('the check', () => {
  async function faults(pages: Record<string, string>, listed = Object.keys(pages)) {
    const root = await mkdtemp(path.join(tmpdir(), 'site-'));
    try {
      for (const [name, text] of Object.entries(pages)) await writeFile(path.join(root, name), text);
      const sections = [{ title: 'All', pages: listed }];
      const documentation = Object.keys(pages);
      return await faultsOf({ root, contents: sections, documentation, files: new Set(['LICENSE']) });
    } finally {
      await rm(root, { recursive: true });
    }
  }

  it('finds nothing wrong with pages whose links lead somewhere', async () => {
    const pages = { 'README.md': '# One\n[two](b.md#there) [LICENSE](LICENSE)', 'b.md': '# Two\n## There' };
    expect(await faults(pages)).toEqual([]);
  });

  it('reports a link to a missing page, file or heading, and a page that nobody would find', async () => {
    const pages = {
      'a.md': '[x](c.md) [y](b.md#no) [z](nothing.txt) ![](no.png)',
      'b.md': '# B',
      'c.md': '# C',
    };
    expect(await faults(pages, ['a.md', 'b.md'])).toEqual([
      'c.md is in no section',
      'a.md: c.md is a broken link',
      'a.md: b.md#no is a broken link',
      'a.md: nothing.txt is a broken link',
      'a.md: there is no picture no.png',
    ]);
  });
});

describe('paths in backticks', () => {
  const files = new Set([
    'docs',
    'docs/a.md',
    'packages',
    'packages/server/src/platform/db/pool.ts',
    'scripts/ci/one.ts',
    'packages/server',
    'packages/server/src',
    'packages/server/src/platform',
    'packages/server/src/platform/db',
  ]);
  const faults = (markdown: string) => missingPaths([{ page: 'x.md', markdown }], files);

  it.each([
    ['`packages/blobs/src/chunk-memory.ts`', 'there is no packages/blobs/src/chunk-memory.ts'],
    ['`platform/blobs/chunk-memory.ts`', 'there is no platform/blobs/chunk-memory.ts'],
    ['| a | `docs/b.md` |\n|---|---|', 'there is no docs/b.md'],
    ['`scripts/ci/{two,three}.ts`', 'there is no scripts/ci/{two,three}.ts'],
    ['`npx vitest run scripts/two.test.ts`', 'there is no scripts/two.test.ts'],
    ['`held.ts`', 'there is no file held.ts'],
    ['`platform/db`', 'platform/db is packages/server/src/platform/db: write the whole path'],
  ])('%s is missing', (markdown, fault) => expect(faults(markdown)).toEqual([`x.md: ${fault}`]));

  it.each([
    '`docs/a.md` and `docs/`, `packages/server/src/<any name>/db/*.ts`, `scripts/ci/{one,two}.ts`, `pool.ts`',
    '`image/png`, `POST /v1/docs/x`, `@millpond/client`, `<the key>/000000.ts`, `qhash/md5`, `/docs/b.md`',
    '`kubectl exec docs/tools`',
    '```\ndocs/b.md\n```',
  ])('%s: nothing is missing', (markdown) => expect(faults(markdown)).toEqual([]));
});

describe('on the site', () => {
  const pages = new Set(['README.md', 'docs/a.md', 'docs/README.md']);
  const rendered = async (markdown: string, repository?: string) => {
    disposeMdItInstance();
    const renderer = await createMarkdownRenderer('/', {
      html: false,
      config: (plain) => sourceLinks(plain, { pages, repository }),
    });
    return renderer.render(markdown, {
      relativePath: 'docs/index.md',
      path: '/docs/index.md',
      cleanUrls: false,
    });
  };

  it('links to first pages lead to them, and links to other files to the repository or nowhere', async () => {
    expect(await rendered('[a](../README.md#x) [b](a.md)')).toContain(
      '<a href="./../#x">a</a> <a href="./a.html">b</a>',
    );
    const file = '[c](../deploy/x.yaml)';
    expect(await rendered(file, 'https://example.com/r')).toContain(
      'href="https://example.com/r/blob/main/deploy/x.yaml"',
    );
    const alone = await rendered(file);
    expect(alone).toContain('c');
    expect(alone).not.toContain('<a');
  });

  it('HTML and the marks of templates are text', async () => {
    const text = await rendered('x <script>alert(1)</script> {{ constructor }} `{{ y }}`');
    expect(text).not.toContain('<script>');
    expect(text.replaceAll(/<code v-pre>.*?<\/code>/g, '')).not.toContain('{{');
  });
});

it.each([
  ['docs/uploads.md', 'docs/zh-CN/uploads.md'],
  ['README.md', 'docs/zh-CN/README.md'],
  ['docs/README.md', undefined],
  ['docs/images.md', undefined],
])('%s is %s in the other language', (page, other) => {
  const pages = new Set(contents.flatMap((section) => section.pages));
  expect(counterpartOf(page, pages)).toBe(other);
  if (other !== undefined) expect(counterpartOf(other, pages)).toBe(page);
});

it.each([
  ['git+https://code.example.com/a/b.git', 'https://code.example.com/a/b'],
  ['git@code.example.com:a/b.git', 'https://code.example.com/a/b'],
  ['ssh://git@code.example.com/a/b.git', 'https://code.example.com/a/b'],
  ['github:a/b', 'https://github.com/a/b'],
  ['a/b', 'https://github.com/a/b'],
  ['https://code.example.com/a/b/', 'https://code.example.com/a/b'],
])('%s is seen at %s', (repository, address) => expect(webAddressOf(repository)).toBe(address));

it('docs/README.md has the sections and pages of the site, in the same order', async () => {
  const index = 'docs/README.md';
  const { headings, links } = readPage(
    await readFile(path.join(import.meta.dirname, '../..', index), 'utf8'),
  );
  const linked = links.map((link) => path.posix.join(path.posix.dirname(index), link));
  const pages = contents
    .flatMap((section) => (section.listsItself ? section.pages.slice(0, 1) : section.pages))
    .filter((page) => page !== index);
  expect(linked).toEqual(pages);
  const titles = headings.filter(({ depth }) => depth === 2).map(({ text }) => text);
  expect(titles).toEqual(contents.map(({ title }) => title));
});

it.each(contents.filter(({ listsItself }) => listsItself))(
  '$title: the first page lists the others, in the same order',
  async ({ pages: [first = '', ...others] }) => {
    const { links } = readPage(await readFile(path.join(import.meta.dirname, '../..', first), 'utf8'));
    expect(links.map((link) => path.posix.join(path.posix.dirname(first), link))).toEqual(others);
  },
);
