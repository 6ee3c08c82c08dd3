/** Rules that no single file breaks: circular imports, folders with too many files to look through, names that say nothing. */
import { posix } from 'node:path';
import type { Violation } from './rules.ts';
import type { Source } from './source.ts';
import { maxFilesPerFolder, namedApart, namesOfMany } from './table.ts';

const TEST = /\.test\.tsx?$/;

/** Types count too: two files that need each other to be understood are one. */
export function checkCircles(sources: ReadonlyMap<string, Source>): Violation[] {
  const done = new Set<string>();
  const violations: Violation[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (done.has(file)) return;
    for (const { target, line } of sources.get(file)?.imports ?? []) {
      if (target?.startsWith('.') !== true) continue;
      const to = posix.normalize(posix.join(posix.dirname(file), target));
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
