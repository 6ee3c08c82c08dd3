/** `npm run site [-- --out DIR] [--check]`: builds the documentation's pages, or only reports what is wrong with them. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { contents } from './contents.ts';
import { makeSite } from './site.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: '.site' }, check: { type: 'boolean', default: false } },
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

const { files, faults } = await makeSite({ root, contents, documentation, files: known });
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (values.check) process.stdout.write(`${files.size} files of the site are complete\n`);
else {
  const out = path.resolve(values.out);
  await rm(out, { recursive: true, force: true });
  for (const [name, text] of files) {
    await mkdir(path.dirname(path.join(out, name)), { recursive: true });
    await writeFile(path.join(out, name), text);
  }
  process.stdout.write(`wrote ${files.size} files; open ${path.join(out, 'index.html')}\n`);
}

function foldersOf(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
