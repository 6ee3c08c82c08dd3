/** The version of packages, images and chart is that of the root's package.json. Every other place repeats it, and is written by `setVersion`. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const VERSION = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?`;
const LOCK = 'package-lock.json';

/** Files, and expressions that match nothing but the version in them. */
const VERSION_LOCATIONS: readonly (readonly [string, RegExp])[] = [
  ['packages/server/src/compose/version.ts', new RegExp(`(?<=VERSION = ')${VERSION}`, 'g')],
  ['deploy/helm/millpond/Chart.yaml', new RegExp(`(?<=^(?:version|appVersion): )${VERSION}$`, 'gm')],
  ['deploy/container/Containerfile', new RegExp(`(?<=(?:-t [a-z-]+:|image\\.version="))${VERSION}`, 'g')],
  ['deploy/container/compose.yaml', new RegExp(`(?<=image: millpond[a-z-]*:)${VERSION}`, 'g')],
  ['README.md', new RegExp(`(?<=\\*\\*Status:\\*\\* early \\()${VERSION}`, 'g')],
  ['docs/zh-CN/README.md', new RegExp(`(?<=\\*\\*状态\\*\\*：早期（)${VERSION}`, 'g')],
];
/** Versions in a package's file: its own, and those of our other packages, which it needs in the same version. */
const OF_PACKAGE = new RegExp(
  `(?<=^  "version": "|^    "(?:@millpond/[a-z-]+|millpond)": ")${VERSION}`,
  'gm',
);

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
interface Lock extends LockedPackage {
  packages: Record<string, LockedPackage>;
}

export async function readVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** What each place says. */
export async function versionsIn(root: string): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [file, form] of places(root))
    found.set(file, (await readFile(path.join(root, file), 'utf8')).match(form) ?? []);
  found.set(LOCK, await rewriteLock(root, undefined));
  return found;
}

export async function setVersion(root: string, version: string): Promise<void> {
  if (!new RegExp(`^${VERSION}$`).test(version)) throw new Error(`${version} is no version, such as 1.2.3`);
  for (const [file, form] of places(root)) {
    const text = await readFile(path.join(root, file), 'utf8');
    await writeFile(path.join(root, file), text.replace(form, version));
  }
  await rewriteLock(root, version);
}

function places(root: string): readonly (readonly [string, RegExp])[] {
  const packages = globSync(['package.json', '*/package.json', '{packages,quality}/*/package.json'], {
    cwd: root,
  })
    .filter((file) => !file.startsWith('node_modules/'))
    .toSorted();
  return [...packages.map((file) => [file, OF_PACKAGE] as const), ...VERSION_LOCATIONS];
}

/** Versions of our own packages in the lock file, before they were changed. */
async function rewriteLock(root: string, version: string | undefined): Promise<string[]> {
  const file = path.join(root, LOCK);
  const lock = JSON.parse(await readFile(file, 'utf8')) as Lock;
  const own = Object.entries(lock.packages).filter(([place]) => !place.includes('node_modules'));
  const found: string[] = [];
  for (const each of [lock, ...own.map(([, described]) => described)]) {
    if (each.version !== undefined) found.push(each.version);
    if (each.version !== undefined && version !== undefined) each.version = version;
    for (const needed of [each.dependencies ?? {}, each.devDependencies ?? {}])
      for (const name of Object.keys(needed).filter((key) => /^(?:@millpond\/|millpond$)/.test(key))) {
        found.push(needed[name] ?? '');
        if (version !== undefined) needed[name] = version;
      }
  }
  if (version !== undefined) await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  return found;
}
