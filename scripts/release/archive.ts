/**
 * The file of an image, as `podman save` writes it in Docker's format, which alone has health checks. buildah notes in it in which container it
 * worked, what that was called, and the id of the stage that an image continues, which follows from these: all random. Without them the same layers
 * are the same bytes. The names of older versions of the format
 * follow from them, and are left out; `podman load` and `docker load` read only the manifest.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type TarFile, writeTar } from '../pack/tar.ts';
import { sha256 } from './checksums.ts';

const run = promisify(execFile);
const OF_STAGE = /^FROM [0-9a-f]{12,64}$/;
const MAX_BYTES = 64 * 2 ** 20;

interface Container {
  Hostname?: string;
}
/** What of an image's configuration is random. */
interface ImageConfig {
  container?: string;
  container_config?: Container;
  config?: Container;
  parent?: string;
  history?: readonly { readonly comment?: string }[];
  readonly rootfs: { readonly diff_ids: readonly string[] };
}
interface Manifest {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

export interface SettledArchive {
  /** Id of the image. */
  readonly id: string;
  /** Those that were wanted, as the image has them, by their paths. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export async function settleArchive(
  saved: string,
  target: string,
  { epoch, wanted = [] }: { readonly epoch: number; readonly wanted?: readonly string[] },
): Promise<SettledArchive> {
  const folder = await mkdtemp(`${target}.`);
  try {
    await run('tar', ['-C', folder, '-xf', saved]);
    const manifests = await readJson<readonly Manifest[]>(path.join(folder, 'manifest.json'));
    const [manifest] = manifests;
    if (manifest === undefined || manifests.length > 1) throw new Error(`${saved} is not one image`);
    const read = await readJson<ImageConfig>(path.join(folder, manifest.Config));
    const layers = await Promise.all(manifest.Layers.map((name) => realpath(path.join(folder, name))));
    const names = await layerNames(layers, read);
    const config = Buffer.from(JSON.stringify(settled(read)));
    const id = createHash('sha256').update(config).digest('hex');
    const settledManifest = [{ Config: `${id}.json`, RepoTags: manifest.RepoTags, Layers: names }];
    const files = new Map<string, TarFile>(
      [
        { name: 'manifest.json', from: Buffer.from(JSON.stringify(settledManifest)) },
        { name: `${id}.json`, from: config },
        // The same layer may be there twice.
        ...names.map((name, number) => ({ name, from: layers[number] ?? '' })),
      ].map((file) => [file.name, file]),
    );
    await writeTar([...files.values()], target, epoch);
    return { id, files: await filesIn(layers, wanted) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function settled(config: ImageConfig): ImageConfig {
  const blank = ({ ...container }: Container) => ({ ...container, Hostname: '' });
  const { container: _, parent: __, ...rest } = config;
  return {
    ...rest,
    ...(rest.container_config && { container_config: blank(rest.container_config) }),
    ...(rest.config && { config: blank(rest.config) }),
    ...(rest.history && { history: rest.history.map(withoutId) }),
  };
}

/** A comment that names an image by its name stays. */
function withoutId({ comment, ...step }: { readonly comment?: string }): object {
  return comment === undefined || OF_STAGE.test(comment) ? step : { ...step, comment };
}

/** By their contents, which the configuration names too. */
async function layerNames(layers: readonly string[], { rootfs }: ImageConfig): Promise<string[]> {
  const sums: string[] = [];
  for (const layer of layers) sums.push(await sha256(layer));
  if (sums.some((sum, number) => rootfs.diff_ids[number] !== `sha256:${sum}`))
    throw new Error('the layers are not those of the image');
  return sums.map((sum) => `${sum}.tar`);
}

/** Each from the uppermost layer that has it. */
async function filesIn(layers: readonly string[], wanted: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const name of wanted)
    for (const layer of layers.toReversed()) {
      if (found.has(name)) break;
      const content = await run('tar', ['-xOf', layer, name], {
        encoding: 'buffer',
        maxBuffer: MAX_BYTES,
      }).catch(() => undefined);
      if (content !== undefined) found.set(name, content.stdout);
    }
  return found;
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8')) as T;
}
