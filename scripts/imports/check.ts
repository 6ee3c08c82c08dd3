/** Judges a tree of files, and says how much it saw: a check that looked at nothing must not pass. */
import { judgeFile, type Violation } from './rules.ts';
import { readSource } from './source.ts';
import { leastFiles, leastImportsPerFile, type SqlException, sqlExceptions } from './table.ts';

export interface Result {
  readonly violations: readonly Violation[];
  readonly files: number;
  readonly imports: number;
  /** Exceptions of the table that excuse nothing any more. */
  readonly idleExceptions: readonly SqlException[];
}

/** `files` maps paths from the root, written with `/`, to their text. */
export function checkFiles(files: ReadonlyMap<string, string>): Result {
  const violations: Violation[] = [];
  let imports = 0;
  for (const [file, text] of files) {
    const source = readSource(text);
    imports += source.imports.length;
    violations.push(...judgeFile(file, source, sqlExceptions));
  }
  const idleExceptions = sqlExceptions.filter(
    ({ file, text }) => !readSource(files.get(file) ?? '').literals.some((literal) => literal.text === text),
  );
  return { violations, files: files.size, imports, idleExceptions };
}

/** What is wrong with the run as a whole, beside the violations that it found. */
export function faultsOfRun({ files, imports, idleExceptions }: Result): string[] {
  const faults: string[] = [];
  if (files < leastFiles) faults.push(`only ${files} files were read, at least ${leastFiles} were expected`);
  if (imports < files * leastImportsPerFile)
    faults.push(`only ${imports} imports were found in ${files} files: the extractor does not see them`);
  for (const { file, text } of idleExceptions)
    faults.push(`the exception for "${text}" in ${file} excuses nothing: remove it`);
  return faults;
}
