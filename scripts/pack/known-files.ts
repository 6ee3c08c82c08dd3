/** The files of a checkout that git knows. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface KnownFiles {
  readonly root: string;
  has(file: string): boolean;
  /** Named from the folder on, in the order of their names. */
  below(folder: string): string[];
}

/** Throws where there is no git to ask: without its list a key that lies around would be packed like any other file. */
export function knownFiles(root: string): KnownFiles {
  // Those that were deleted and not yet committed are still on its list.
  const files = listed(root, ['--cached']).filter((file) => existsSync(path.join(root, file)));
  const all = new Set(files);
  // Unpacked below some other repository, the tree is one that its git does not know.
  if (!all.has('package.json')) throw new Error(notKnown(root));
  return {
    root,
    has: (file) => all.has(file),
    below: (folder) =>
      files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1)),
  };
}

/** Files at these paths that git neither knows nor ignores: such as new ones that were not added yet. */
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
  return `only files that git knows are packed, and git does not know ${root}: run this in a clone of the repository`;
}
