/** What the Containerfile says that is needed outside of it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');
export const CONTAINERFILE = 'deploy/container/Containerfile';

/** Targets of the Containerfile, and what the images are called. */
export const TARGETS = {
  millpond: 'millpond',
  media: 'millpond-media',
  'nginx-rtmp': 'millpond-nginx-rtmp',
} as const;

export interface BaseNames {
  /** Base of all images. */
  readonly debian: string;
  /** Base of the stage that builds. */
  readonly node: string;
}

export async function baseNames(): Promise<BaseNames> {
  const text = await readFile(path.join(ROOT, CONTAINERFILE), 'utf8');
  const version = /^ARG NODE_VERSION=(.*)$/m.exec(text)?.[1] ?? '';
  const bases = [...text.matchAll(/^FROM (docker\.io\/\S+)/gm)].map(([, name = '']) =>
    name.replace(/\$\{NODE_VERSION\}/, version),
  );
  const [node, debian, ...others] = new Set(bases);
  if (node === undefined || debian === undefined || others.length > 0)
    throw new Error(
      `the bases of the Containerfile are not one of Node and one of Debian: ${bases.join(', ')}`,
    );
  return { node, debian };
}

export async function imageNames(): Promise<Readonly<Record<keyof typeof TARGETS, string>>> {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    millpond: `${TARGETS.millpond}:${version}`,
    media: `${TARGETS.media}:${version}`,
    'nginx-rtmp': `${TARGETS['nginx-rtmp']}:${version}`,
  };
}
