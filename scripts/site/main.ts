/**
 * `npm run site [-- --out DIR] [--base /PATH/] [--repository URL] [--check]`: builds the documentation as a site, or only reports what is
 * wrong with its pages, and which paths in any Markdown file of the project lead nowhere. `--base` is the path under which a server will have it. With the address of the repository, by default that of
 * package.json, pages have a link for editing them, and files that are no pages can be linked to.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf } from './check.ts';
import { contents } from './contents.ts';
import { missingPaths } from './paths.ts';
import { webAddressOf } from './source-links.ts';
import { stagePages } from './stage.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.site' },
    base: { type: 'string', default: '/' },
    repository: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
const root = path.join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');
const known = new Set(tracked.flatMap((file) => [file, ...foldersOf(file)]));
const documentation = tracked.filter((file) => /^docs\/.*\.md$/.test(file));

const markdown = await Promise.all(
  tracked
    .filter((file) => file.endsWith('.md'))
    .map(async (page) => ({ page, markdown: await readFile(path.join(root, page), 'utf8') })),
);
const faults = [
  ...(await faultsOf({ root, contents, documentation, files: known })),
  ...missingPaths(markdown, known),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (values.check)
  process.stdout.write(`${contents.flatMap(({ pages }) => pages).length} pages are complete\n`);
else {
  const outDir = path.resolve(values.out);
  const staged = path.join(root, '.build/site');
  await stagePages(root, contents, staged);
  const repository = values.repository ?? (await ownRepository());
  if (repository !== undefined) process.env.MILLPOND_SITE_REPOSITORY = webAddressOf(repository);
  process.env.MILLPOND_SITE_BASE = values.base.replace(/^\/*/, '/').replace(/\/*$/, '/');
  // Half a second to load, which a check does not need.
  const { build } = await import('vitepress');
  await build(staged, { outDir });
  process.stdout.write(
    `wrote ${outDir}; any static server shows it, such as: npx vitepress preview .build/site --outDir ${values.out}\n`,
  );
}

function foldersOf(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** As npm writes it into a package.json: a text, or a record with the text. */
async function ownRepository(): Promise<string | undefined> {
  const { repository } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    repository?: string | { url: string };
  };
  return typeof repository === 'object' ? repository.url : repository;
}
