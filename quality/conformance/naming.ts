/** Which test files name which statements, by their text: without running them. Whether they pass is what a run says. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idForm, idsInTitle } from './title.ts';

/** By id, the files from the project's root. */
export type Naming = ReadonlyMap<string, ReadonlySet<string>>;

/** Those of the suites. This folder's own tests name ids that stand for none. */
const folders = 'packages,scripts,deploy,quality/{acceptance,engines,bench,chaos,testing}';

export async function namesInTests(root: string): Promise<Naming> {
  const naming = new Map<string, Set<string>>();
  const exclude = ['**/node_modules/**'];
  for await (const file of glob(`{${folders}}/**/*.test.ts`, { cwd: root, exclude }))
    for (const id of idsInSource(await readFile(join(root, file), 'utf8')))
      naming.set(id, (naming.get(id) ?? new Set()).add(file));
  return naming;
}

/** At the end of a title, or alone in a table of cases whose title has a place for it. */
export function idsInSource(text: string): string[] {
  const titles = [...text.matchAll(/\[[^[\]\n]*\](?=['"`])/g)].flatMap(([brackets]) => idsInTitle(brackets));
  const alone = [...text.matchAll(/(?<=['"`])[\w-]+(?=['"`])/g)].map(([id]) => id);
  return [...titles, ...alone].filter((id) => idForm.test(id));
}
