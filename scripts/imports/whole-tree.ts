/**
 * Rules that no single file breaks: circular imports, folders with too many files to look through, files too small to stand
 * alone, names that say nothing.
 */
import { posix } from 'node:path';
import type { Violation } from './rules.ts';
import type { Source } from './source.ts';
import {
  maxFilesPerFolder,
  maxJoinedLines,
  minLinesAlone,
  namedApart,
  namesOfMany,
  type SmallRow,
  smallFiles,
} from './table.ts';

const TEST = /\.test\.tsx?$/;
const TEST_OR_ITS_SUPPORT = /\.(?:test|testing)\.tsx?$/;

/** Types count too: two files that need each other to be understood are one. */
export function checkCircles(sources: ReadonlyMap<string, Source>): Violation[] {
  const done = new Set<string>();
  const violations: Violation[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (done.has(file)) return;
    for (const { target, line } of sources.get(file)?.imports ?? []) {
      const to = pathOf(file, target);
      if (to === undefined) continue;
      const at = [...way, file].indexOf(to);
      if (at >= 0) {
        const circle = [...way, file].slice(at).join(' → ');
        violations.push({ file, line, rule: 'circle', why: `${circle} → ${to}` });
      } else if (sources.has(to)) visit(to, [...way, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return violations;
}

export function checkFolders(files: Iterable<string>): Violation[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (TEST.test(file)) continue;
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > maxFilesPerFolder)
    .map(([file, count]) => ({
      file,
      line: 1,
      rule: 'full-folder',
      why: `${count} files apart from tests; with more than ${maxFilesPerFolder}, make folders of what belongs together`,
    }));
}

/**
 * What tests import does not count, nor what an index.ts passes on. An index.ts is the entry point of its folder; one that
 * only another index.ts passes on is not.
 */
export function checkSmallFiles(
  sources: ReadonlyMap<string, Source>,
  allowed: readonly SmallRow[] = smallFiles,
): Violation[] {
  const users = new Map<string, Set<string>>();
  for (const [user, { imports }] of sources) {
    if (TEST_OR_ITS_SUPPORT.test(user)) continue;
    for (const { target } of imports) {
      const file = pathOf(user, target);
      if (file !== undefined) users.set(file, (users.get(file) ?? new Set()).add(user));
    }
  }
  const linesOf = (file: string) => (sources.get(file)?.code ?? '').split('\n').length - 1;
  return [...sources.keys()].flatMap((file) => {
    const [user, other] = users.get(file) ?? [];
    const lines = linesOf(file);
    if (user === undefined || other !== undefined || lines >= minLinesAlone) return [];
    if (lines + linesOf(user) > maxJoinedLines || isIndex(file) !== isIndex(user)) return [];
    if (TEST_OR_ITS_SUPPORT.test(file) || allowed.some(({ files }) => files.test(file))) return [];
    const why = `${lines} lines that only ${user} uses: move them there, or give them a row in smallFiles of table.ts`;
    return [{ file, line: 1, rule: 'small-file', why }];
  });
}

export function checkNames(files: Iterable<string>): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const file of files) {
    const [root, name] = [namedApart.find((folder) => file.startsWith(folder)), posix.basename(file)];
    if (root === undefined || namesOfMany.includes(name) || TEST.test(file)) continue;
    const other = first.get(root + name);
    if (other === undefined) first.set(root + name, file);
    else
      violations.push({
        file,
        line: 1,
        rule: 'same-name',
        why: `${other} has the same name; put the subject before it, as in uploads.routes.ts`,
      });
  }
  return violations;
}

function isIndex(file: string): boolean {
  return posix.basename(file) === 'index.ts';
}

/** Undefined for packages, and for what is computed. */
function pathOf(file: string, target: string | undefined): string | undefined {
  return target?.startsWith('.') === true
    ? posix.normalize(posix.join(posix.dirname(file), target))
    : undefined;
}
