/** What the image program needs inside the sandbox: its own folder, the protocol, and sharp with all its dependencies. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Mount, nodeMounts, PROGRAM_EXTENSION } from '../sandbox/index.ts';

/** The same name in the sandbox, by a link: Node does not run TypeScript from a node_modules folder. */
const PROTOCOL = '@millpond/protocol';
const PROGRAMS = path.join(import.meta.dirname, 'sandboxed');

export const IMAGE_PROGRAM = `/app/sandboxed/image-program${PROGRAM_EXTENSION}`;

export function imageMounts(): Mount[] {
  const folders = new Map<string, string>();
  collectPackages('sharp', import.meta.dirname, folders);
  return [
    ...nodeMounts,
    { source: PROGRAMS, target: '/app/sandboxed' },
    { source: protocolFolder(), target: '/app/protocol' },
    { link: '../../protocol', target: `/app/node_modules/${PROTOCOL}` },
    ...[...folders].map(([name, source]) => ({ source, target: `/app/node_modules/${name}` })),
  ];
}

function protocolFolder(): string {
  const entry = createRequire(path.join(import.meta.dirname, 'x')).resolve(PROTOCOL);
  return path.dirname(path.dirname(realpathSync(entry)));
}

/** Optional packages of other platforms are not installed, and skipped. */
function collectPackages(name: string, from: string, folders: Map<string, string>): void {
  if (folders.has(name)) return;
  const folder = (createRequire(path.join(from, 'x')).resolve.paths(name) ?? [])
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(path.join(candidate, 'package.json')));
  if (folder === undefined) return;
  const real = realpathSync(folder);
  folders.set(name, real);
  const needs = JSON.parse(readFileSync(path.join(real, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys({ ...needs.dependencies, ...needs.optionalDependencies }))
    collectPackages(dependency, real, folders);
}
