/** `npm run check:imports`: the import directions of the project. Prints `file:line: rule: why`; exit 1 on any fault. */
import path from 'node:path';
import { checkFiles, problemsOfRun, readTree } from './check.ts';

const root = path.join(import.meta.dirname, '../..');
const result = checkFiles(await readTree(root));
const lines = [
  ...result.violations.map(({ file, line, rule, why }) => `${file}:${line}: ${rule}: ${why}`),
  ...problemsOfRun(result),
];
process.stdout.write(
  lines.length === 0
    ? `import rules hold: ${result.files} files, ${result.imports} imports\n`
    : `${lines.join('\n')}\n${lines.length} fault${lines.length === 1 ? '' : 's'}\n`,
);
process.exitCode = lines.length === 0 ? 0 : 1;
