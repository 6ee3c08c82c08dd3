/**
 * The images as files. Everything in them has the time of the commit, so that their layers are the same bytes from the same bases. The files are not: in Docker's format,
 * which alone has health checks, buildah notes the random id of the container that it built in.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export interface SavedImages {
  readonly base: string;
  readonly folder: string;
  /** In seconds. */
  readonly epoch: number;
  readonly say: (line: string) => void;
}

const ROOT = path.join(import.meta.dirname, '../..');

export async function saveImages({ base, folder, epoch, say }: SavedImages): Promise<void> {
  say('images');
  const made = await output(process.execPath, [
    ...['deploy/images/main.ts', '--base', base, '--timestamp', String(epoch), '--json'],
  ]);
  for (const { name } of JSON.parse(made) as { name: string }[]) {
    say(`saving ${name}`);
    const file = path.join(folder, `${name.replace(':', '-')}.tar`);
    await output('podman', ['save', '--quiet', '--format', 'docker-archive', '--output', file, name]);
  }
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return said;
}
