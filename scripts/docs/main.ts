/** `node scripts/docs/main.ts [--check]`: writes the reference pages, or says which ones are not up to date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makePages } from './pages.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = path.join(import.meta.dirname, '../..');

const stale: string[] = [];
for (const [name, text] of await makePages(root)) {
  const file = path.join(root, name);
  const onDisk = await readFile(file, 'utf8').catch(() => undefined);
  if (onDisk !== text) stale.push(name);
  if (onDisk === text || values.check) continue;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

if (stale.length === 0) process.stdout.write('the reference pages are up to date\n');
else if (!values.check) process.stdout.write(`wrote ${stale.join(', ')}\n`);
else {
  process.stdout.write(`not up to date: ${stale.join(', ')}; run \`npm run docs\`\n`);
  process.exitCode = 1;
}
