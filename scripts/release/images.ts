/** The images as files, each with its list of what it consists of beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { settleArchive } from './archive.ts';

export interface SavedImages {
  readonly base: string;
  readonly folder: string;
  /** In seconds. */
  readonly epoch: number;
  readonly say: (line: string) => void;
}

const BUILDER = 'deploy/images/main.ts';
const ROOT = path.join(import.meta.dirname, '../..');
/** In every image. */
const BOM = 'usr/share/doc/sbom.cdx.json';

export async function saveImages({ base, folder, epoch, say }: SavedImages): Promise<void> {
  const made = await output(process.execPath, [
    BUILDER,
    '--base',
    base,
    '--timestamp',
    String(epoch),
    '--json',
  ]);
  for (const { name } of JSON.parse(made) as { name: string }[]) {
    say(`saving ${name}`);
    const file = path.join(folder, name.replace(':', '-'));
    const saved = `${file}.saved`;
    await output('podman', ['save', '--quiet', '--format', 'docker-archive', '--output', saved, name]);
    const { id, files } = await settleArchive(saved, `${file}.tar`, { epoch, wanted: [BOM] });
    await rm(saved);
    const bom = files.get(BOM);
    if (bom === undefined) throw new Error(`${name} has no /${BOM}`);
    await writeFile(`${file}.cdx.json`, bom);
    await assertLoadable(`${file}.tar`, name, id);
  }
}

/** Before minutes have passed. It says itself which are missing. */
export async function assertPrograms(base: string): Promise<void> {
  await output(process.execPath, [BUILDER, '--base', base, '--check']);
}

/** The image that is here under this name is then that of the file. */
async function assertLoadable(file: string, name: string, id: string): Promise<void> {
  await output('podman', ['load', '--quiet', '--input', file]);
  const loaded = (await output('podman', ['image', 'inspect', '--format', '{{.Id}}', name])).trim();
  if (loaded !== id) throw new Error(`${file} is loaded as ${loaded}, and is ${id}`);
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return said;
}
