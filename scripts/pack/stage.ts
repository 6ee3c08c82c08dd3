/**
 * Lays out the packages as they are published. Node reads no TypeScript below node_modules, so each source file becomes
 * JavaScript, at the same place and with the same lines, next to its declarations; other files are copied. Only files
 * that git knows are packed: a checkout also contains keys, notes and settings that nobody meant to publish.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { testFiles } from '../imports/table.ts';
import type { KnownFiles } from './known-files.ts';
import { bundledPackage, bundling, publishedPackage, type SourcePackage } from './package-json.ts';

const run = promisify(execFile);
const RELATIVE_IMPORT = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;
const PACKAGES = ['protocol', 'client', 'server', 'cli'];
/** What only the server uses is not published: it travels in the server's package, in a node_modules folder. */
const BUNDLED = ['base', 'outbound', 'camera-wire', 'blobs', 'jail'];
const BUNDLE = 'server';
/** What is published of a package besides its package.json. */
const FOLDERS = ['src', 'bin', 'migrations'];
const FOR_ALL = ['LICENSE', 'NOTICE'];
/** For those that have one; the command uses the project's own. */
const OWN_README = 'README.md';
/** The command has no callers in TypeScript. */
const WITHOUT_TYPES = 'cli';
/** The command is packed with what its README links to: the pages, and the files that a deployment starts from. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'GOVERNANCE.md',
  'CODE_OF_CONDUCT.md',
  'SECURITY.md',
];
const DOCUMENT_FOLDERS = ['docs', 'deploy'];
/** In those folders: the project's own tests and tools. */
const OF_THE_PROJECT = /\.ts$|(?:^|\/)package\.json$/;

/** What can become part of a package from the repository. */
export const PACKED = [
  ...FOR_ALL,
  ...DOCUMENTS,
  ...DOCUMENT_FOLDERS,
  ...[...PACKAGES, ...BUNDLED, 'console'].map((name) => `packages/${name}`),
];

/** The folders of the packages, below `target`. */
export async function stagePackages(known: KnownFiles, target: string): Promise<string[]> {
  const { root } = known;
  const { engines } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  await emitTypes(root, path.join(target, 'types'));
  const staged: string[] = [];
  for (const name of PACKAGES) {
    const [source, folder] = [path.join(root, 'packages', name), path.join(target, name)];
    await mkdir(folder, { recursive: true });
    const described = await describe(source);
    const bundled =
      name === BUNDLE
        ? await Promise.all(BUNDLED.map((each) => describe(path.join(root, 'packages', each))))
        : [];
    const published = publishedPackage(
      bundled.length === 0 ? described : bundling(described, bundled),
      engines.node,
    );
    await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    for (const file of FOR_ALL) await cp(path.join(root, file), path.join(folder, file));
    // The pages that the server gives to browsers.
    if (name === BUNDLE) {
      await run(process.execPath, [
        path.join(root, 'packages/console/build/main.ts'),
        path.join(folder, 'console'),
      ]);
      for (const each of BUNDLED) await stageBundled(known, each, folder, target, engines.node);
    }
    for (const each of FOLDERS) await stageFolder(known, `packages/${name}/${each}`, folder, each);
    if (known.has(`packages/${name}/${OWN_README}`))
      await cp(path.join(source, OWN_README), path.join(folder, OWN_README));
    if (name === WITHOUT_TYPES) await stageDocuments(known, folder);
    else await stageTypes(known, path.join(target, 'types', name), `packages/${name}`, folder);
    staged.push(folder);
  }
  return staged;
}

/** Below the node_modules of the package at `folder`. */
async function stageBundled(
  known: KnownFiles,
  name: string,
  folder: string,
  target: string,
  node: string,
): Promise<void> {
  const source = path.join(known.root, 'packages', name);
  const described = await describe(source);
  const place = path.join(folder, 'node_modules', described.name);
  await mkdir(place, { recursive: true });
  await writeFile(
    path.join(place, 'package.json'),
    `${JSON.stringify(bundledPackage(described, node), null, 2)}\n`,
  );
  for (const file of FOR_ALL) await cp(path.join(known.root, file), path.join(place, file));
  await cp(path.join(source, OWN_README), path.join(place, OWN_README));
  await stageFolder(known, `packages/${name}/src`, place, 'src');
  await stageTypes(known, path.join(target, 'types', name), `packages/${name}`, place);
}

async function describe(folder: string): Promise<SourcePackage> {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as SourcePackage;
}

async function stageFolder(known: KnownFiles, from: string, folder: string, name: string): Promise<void> {
  for (const file of known.below(from)) {
    if (testFiles.test(path.posix.join(from, file))) continue;
    const target = path.join(folder, name, file.replace(/\.ts$/, '.js'));
    await mkdir(path.dirname(target), { recursive: true });
    const source = path.join(known.root, from, file);
    if (file.endsWith('.ts')) await writeFile(target, toJavaScript(await readFile(source, 'utf8')));
    else if (file.endsWith('.js')) await writeFile(target, namedAsJavaScript(await readFile(source, 'utf8')));
    else await cp(source, target);
  }
}

export async function stageDocuments(known: KnownFiles, folder: string): Promise<void> {
  for (const file of DOCUMENTS) await cp(path.join(known.root, file), path.join(folder, file));
  for (const each of DOCUMENT_FOLDERS) {
    for (const file of known.below(each)) {
      // The chart's links to files beside it: packages can't have any.
      if (!OF_THE_PROJECT.test(file))
        await cp(path.join(known.root, each, file), path.join(folder, each, file), { dereference: true });
    }
  }
}

async function stageTypes(known: KnownFiles, types: string, from: string, folder: string): Promise<void> {
  for (const file of await filesBelow(types)) {
    const source = file.replace(/\.d\.ts$/, '.ts');
    if (testFiles.test(source) || !known.has(path.posix.join(from, source))) continue;
    const text = namedAsJavaScript(await readFile(path.join(types, file), 'utf8'));
    await writeFile(path.join(folder, file), text);
  }
}

async function emitTypes(root: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const config = path.join(target, 'tsconfig.json');
  const sources = [...PACKAGES, ...BUNDLED].filter((name) => name !== WITHOUT_TYPES);
  const settings = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: path.join(root, 'packages'),
      outDir: target,
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: sources.map((name) => path.join(root, 'packages', name, 'src')),
    exclude: ['*.test.ts', 'testing/**', 'testing.ts', '*.testing.ts', 'testing-*.ts'].map((tests) =>
      path.join(root, 'packages/**', tests),
    ),
  };
  await writeFile(config, JSON.stringify(settings));
  await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** As Node itself does it: types become spaces, so every line stays in place. */
export function toJavaScript(source: string): string {
  return namedAsJavaScript(stripTypeScriptTypes(source)).replace(/[^\S\n]+$/gm, '');
}

/** Relative imports with the file names used in the package; also for declarations. */
function namedAsJavaScript(source: string): string {
  return source.replace(RELATIVE_IMPORT, '$1$2$3.js$2');
}
