/** Checks a tree of files, and says how much it saw: a check that looked at nothing must not pass. */
import { checkFile, type Violation } from './rules.ts';
import { readSource, type Source } from './source.ts';
import { minFiles, minImportsPerFile } from './table.ts';
import { checkCircles, checkFolders, checkNames } from './whole-tree.ts';

export interface Result {
  readonly violations: readonly Violation[];
  readonly files: number;
  readonly imports: number;
}

/** `files` maps paths from the root, written with `/`, to their text. */
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
  violations.push(...checkCircles(sources), ...checkFolders(files.keys()), ...checkNames(files.keys()));
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
