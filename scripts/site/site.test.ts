import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contents } from './contents.ts';
import { addressOf, render } from './render.ts';
import { makeSite } from './site.ts';

describe('a page', () => {
  it('links to other pages where the site has them, and leaves links out alone', () => {
    const { body, links } = render('[a](docs/a.md#b) [c](https://example.com/x.md) [d](../README.md)');
    expect(body).toContain('href="docs/a.html#b"');
    expect(body).toContain('href="https://example.com/x.md"');
    expect(body).toContain('href="../index.html"');
    expect(links).toEqual(['docs/a.md#b', '../README.md']);
  });

  it('gives every heading an address of its own', () => {
    const { headings } = render('# A `b` & c\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id, text }) => [id, text])).toEqual([
      ['a-b--c', 'A b & c'],
      ['same', 'Same'],
      ['same-1', 'Same'],
    ]);
  });

  it('shows HTML in the Markdown as text', () => {
    expect(render('x <script>alert(1)</script>').body).not.toContain('<script>');
  });

  it('has pictures, also one for dark pages', () => {
    const both =
      '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="d.png">\n<img alt="a" src="l.png">\n</picture>';
    const { body, pictures } = render(`![x](p/a.png)\n\n${both}\n`);
    expect(pictures).toEqual(['p/a.png', 'd.png', 'l.png']);
    expect(body).toContain('<source media="(prefers-color-scheme: dark)" srcset="d.png">');
    expect(render(both.replace('alt="a"', 'alt="a" onerror="x"')).body).not.toContain('<img');
  });

  it('is served under its name, the first one of a folder as its index', () => {
    expect(addressOf('docs/a.md')).toBe('docs/a.html');
    expect(addressOf('README.md')).toBe('index.html');
    expect(addressOf('deploy/README.md')).toBe('deploy/index.html');
  });
});

describe('the build', () => {
  async function build(pages: Record<string, string>, listed = Object.keys(pages)) {
    const root = await mkdtemp(path.join(tmpdir(), 'site-'));
    try {
      for (const [name, text] of Object.entries(pages)) await writeFile(path.join(root, name), text);
      const contents = [{ title: 'All', pages: listed }];
      return await makeSite({
        root,
        contents,
        documentation: Object.keys(pages),
        files: new Set(['LICENSE']),
      });
    } finally {
      await rm(root, { recursive: true });
    }
  }

  it('has a page for each one listed, with a way to every other', async () => {
    const { files, faults } = await build({
      'README.md': '# One\n[two](b.md#there) [LICENSE](LICENSE)',
      'b.md': '# Two\n## There',
    });
    expect(faults).toEqual([]);
    expect(files.get('index.html')).toContain('href="b.html"');
    expect(files.get('search.json')).toContain('b.html#there');
  });

  it('reports a link to a missing page, file or heading, and a page that nobody would find', async () => {
    const { faults } = await build(
      { 'a.md': '[x](c.md) [y](b.md#no) [z](nothing.txt) ![](no.png)', 'b.md': '# B', 'c.md': '# C' },
      ['a.md', 'b.md'],
    );
    expect(faults).toEqual([
      'c.md is in no section',
      'a.md: c.md is a broken link',
      'a.md: b.md#no is a broken link',
      'a.md: nothing.txt is a broken link',
      'a.md: there is no picture no.png',
    ]);
  });
});

it('docs/README.md has the sections and pages of the site, in the same order', async () => {
  const index = 'docs/README.md';
  const { headings, links } = render(await readFile(path.join(import.meta.dirname, '../..', index), 'utf8'));
  const linked = links.map((link) => path.posix.join(path.posix.dirname(index), link));
  const pages = contents.flatMap((section) => section.pages).filter((page) => page !== index);
  expect(linked).toEqual(pages);
  const titles = headings.filter(({ depth }) => depth === 2).map(({ text }) => text);
  expect(titles).toEqual(contents.map(({ title }) => title));
});
