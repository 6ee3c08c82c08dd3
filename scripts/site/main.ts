/**
 * `npm run site [-- --out DIR] [--repository URL] [--check]`: builds the documentation as a site, or only reports what is wrong with its
 * pages. With the repository's URL, pages have a link for editing them.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf } from './check.ts';
import { contents } from './contents.ts';
import { stagePages } from './stage.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.site' },
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

const faults = await faultsOf({ root, contents, documentation, files: known });
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (values.check)
  process.stdout.write(`${contents.flatMap(({ pages }) => pages).length} pages are complete\n`);
else {
  const outDir = path.resolve(values.out);
  const staged = path.join(root, '.build/site');
  await stagePages(root, contents, staged);
  if (values.repository !== undefined)
    process.env.MILLPOND_SITE_REPOSITORY = values.repository.replace(/\/$/, '');
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
