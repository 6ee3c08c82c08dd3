/**
 * How the image program is started: what it needs inside the sandbox (its own folder, the protocol, and sharp with all its
 * dependencies), under Node's permission model, which lets it read just that. The model stops mistakes; a hostile decoder is stopped
 * by the sandbox.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  type FileMount,
  type Mount,
  nodeMount,
  PROGRAM_EXTENSION,
  packageMount,
  type Sandbox,
} from '../sandbox/index.ts';

export interface ImageCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly mounts: readonly Mount[];
}

/** The same name in the sandbox, by a link: Node does not run TypeScript from a node_modules folder. */
const PROTOCOL = '@millpond/protocol';
const PROGRAMS: FileMount = { source: path.join(import.meta.dirname, 'sandboxed'), target: '/app/sandboxed' };
const MODULES = '/app/node_modules';

export function imageCommand(sandbox: Sandbox): ImageCommand {
  const folders = new Map<string, string>();
  collectPackages('sharp', import.meta.dirname, folders);
  const files: FileMount[] = [
    nodeMount,
    packageMount,
    PROGRAMS,
    { source: protocolFolder(), target: '/app/protocol' },
    ...[...folders].map(([name, source]) => ({ source, target: `${MODULES}/${name}` })),
  ];
  const readable =
    sandbox.confinement === 'none' ? [...files.map(({ source }) => source), ...links()] : ['/app'];
  return {
    program: sandbox.pathOf(nodeMount),
    args: [
      '--permission',
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      ...readable.map((place) => `--allow-fs-read=${place}`),
      '--max-old-space-size=128',
      path.join(sandbox.pathOf(PROGRAMS), `image-program${PROGRAM_EXTENSION}`),
    ],
    mounts: [...files, { link: '../../protocol', target: `${MODULES}/${PROTOCOL}` }],
  };
}

/** Whether sharp's own program library is installed for this machine. */
export function isSharpInstalled(): boolean {
  const folders = new Map<string, string>();
  collectPackages('sharp', import.meta.dirname, folders);
  return [...folders.keys()].some((name) => /^@img\/sharp-(?!libvips-)/.test(name));
}

function protocolFolder(): string {
  const entry = createRequire(path.join(import.meta.dirname, 'x')).resolve(PROTOCOL);
  return path.dirname(path.dirname(realpathSync(entry)));
}

/** In a checkout packages are links, which Node looks at before it follows them. */
function links(): string[] {
  return modulesAbove(import.meta.dirname, PROTOCOL).filter((place) => existsSync(place));
}

/** Optional packages of other platforms are not installed, and skipped. */
function collectPackages(name: string, from: string, folders: Map<string, string>): void {
  if (folders.has(name)) return;
  const folder = modulesAbove(from, name).find((candidate) =>
    existsSync(path.join(candidate, 'package.json')),
  );
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

/** Where a module of that name may lie for what is in a folder. */
function modulesAbove(from: string, name: string): string[] {
  return (createRequire(path.join(from, 'x')).resolve.paths(name) ?? []).map((modules) =>
    path.join(modules, name),
  );
}
