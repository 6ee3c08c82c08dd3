/** Reads and checks a tree of files, and says how much it saw: a check that looked at nothing must not pass. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkFile, type Violation } from './rules.ts';
import { readSource, type Source } from './source.ts';
import { minFiles, minImportsPerFile } from './table.ts';
import { checkCircles, checkFolders, checkNames, checkSmallFiles } from './whole-tree.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const LEFT_OUT = /^(?:node_modules|dist|coverage|\..*)$/;

export interface Result {
  readonly violations: readonly Violation[];
  readonly files: number;
  readonly imports: number;
}

/** Every source file of the repository: paths from the root, written with `/`, and their text. */
export async function readTree(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const at = path.posix.join(folder, entry.name);
      if (LEFT_OUT.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(at);
      else if (entry.isFile() && SOURCE.test(entry.name))
        files.set(at, await readFile(path.join(root, at), 'utf8'));
    }
  };
  await visit('');
  return files;
}

/** `files` as `readTree` gives them. */
export function checkFiles(files: ReadonlyMap<string, string>): Result {
  const violations: Violation[] = [];
  const sources = new Map<string, Source>();
  let imports = 0;
  for (const [file, text] of files) {
    const source = readSource(text);
    imports += source.imports.length;
    violations.push(...checkFile(file, source));
    sources.set(file, source);
  }
  violations.push(
    ...checkCircles(sources),
    ...checkFolders(files.keys()),
    ...checkSmallFiles(sources),
    ...checkNames(files.keys()),
  );
  return { violations, files: files.size, imports };
}

/** What is wrong with the run as a whole, besides the violations it found. */
export function problemsOfRun({ files, imports }: Result): string[] {
  const faults: string[] = [];
  if (files < minFiles) faults.push(`only ${files} files were read, at least ${minFiles} were expected`);
  if (imports < files * minImportsPerFile)
    faults.push(`only ${imports} imports were found in ${files} files: the extractor does not see them`);
  return faults;
}
