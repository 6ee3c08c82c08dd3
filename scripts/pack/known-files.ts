/** The files of a checkout that git knows. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface KnownFiles {
  readonly root: string;
  has(file: string): boolean;
  /** Paths relative to the folder, sorted by name. */
  below(folder: string): string[];
}

/** Throws if git is not available: without its list a key that lies around would be packed like any other file. */
export function knownFiles(root: string): KnownFiles {
  // Files that were deleted but not yet committed are still on its list.
  const files = listed(root, ['--cached']).filter((file) => existsSync(path.join(root, file)));
  const all = new Set(files);
  // If the tree is unpacked inside some other repository, that repository's git does not know it.
  if (!all.has('package.json')) throw new Error(notKnown(root));
  return {
    root,
    has: (file) => all.has(file),
    below: (folder) =>
      files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1)),
  };
}

/** Files at these paths that git neither knows nor ignores: such as new ones not yet added. */
export function unknownFiles(root: string, paths: readonly string[]): string[] {
  return listed(root, ['--others', '--exclude-standard', '--', ...paths]);
}

function listed(root: string, args: readonly string[]): string[] {
  const git = spawnSync('git', ['ls-files', '-z', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (git.status !== 0) throw new Error([notKnown(root), git.error?.message ?? git.stderr.trim()].join('\n'));
  return git.stdout.split('\0').filter((name) => name !== '');
}

function notKnown(root: string): string {
  return `only files tracked by git are packed, and ${root} is not tracked: run this in a clone of the repository`;
}
