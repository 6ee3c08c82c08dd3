/**
 * Before the tests of images: builds them of this checkout. Those that are there are taken only if they were made of its commit, and nothing in it has
 * changed since. MILLPOND_TEST_IMAGE_BASE is where the bases come from, as `--base` of `npm run image`.
 */
import { makeBases } from './bases.ts';
import { buildImages } from './build.ts';
import { imageNames } from './containerfile.ts';
import { podman } from './containers.ts';
import { isCommit, REVISION, readRevision } from './labels.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

export async function setup(): Promise<void> {
  const base = process.env.MILLPOND_TEST_IMAGE_BASE ?? 'registry';
  if (base !== 'registry' && base !== 'debootstrap')
    throw new Error(`MILLPOND_TEST_IMAGE_BASE is registry or debootstrap, not ${base}`);
  const revision = await readRevision();
  if (base === 'debootstrap') await makeBases(say);
  if (isCommit(revision) && (await areOf(revision))) {
    say(`the images of ${revision} are there`);
    return;
  }
  for (const { name, megabytes } of await buildImages({ say, pull: base === 'registry' }))
    say(`${name} ${megabytes} MB`);
}

async function areOf(revision: string): Promise<boolean> {
  for (const name of Object.values(await imageNames())) {
    const found = await podman('image', 'inspect', '--format', `{{index .Labels "${REVISION}"}}`, name).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
    if (found !== revision) return false;
  }
  return true;
}
