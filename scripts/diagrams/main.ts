/** `npm run diagrams [-- --check]`: draws docs/diagrams/*.dot as docs/pictures/*.svg; `--check` only says which are out of date. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { draw } from './draw.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const docs = path.join(import.meta.dirname, '../../docs');
for (const file of (await readdir(path.join(docs, 'diagrams'))).toSorted()) {
  const picture = path.join(docs, 'pictures', file.replace(/\.dot$/, '.svg'));
  const drawn = await draw(await readFile(path.join(docs, 'diagrams', file), 'utf8'));
  if (!values.check) await writeFile(picture, drawn);
  else if (drawn !== (await readFile(picture, 'utf8').catch(() => ''))) {
    process.stdout.write(`${path.basename(picture)} is out of date: run npm run diagrams\n`);
    process.exitCode = 1;
  }
}
