/** `npm run pack [-- --out FOLDER]`: the tarballs that would be published, by default in dist/. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stagePackages } from './stage.ts';

const root = path.join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(root, 'dist') } } });
const out = path.resolve(values.out);

const staging = await mkdtemp(path.join(tmpdir(), 'millpond-pack-'));
try {
  const folders = await stagePackages(root, staging);
  await mkdir(out, { recursive: true });
  const names = execFileSync('npm', ['pack', '--silent', '--pack-destination', out, ...folders], {
    encoding: 'utf8',
    cwd: staging,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const name of names.trim().split('\n')) process.stdout.write(`${path.join(out, name)}\n`);
} finally {
  await rm(staging, { recursive: true, force: true });
}
