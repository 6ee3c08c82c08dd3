/** Runs the acceptance suite, then the unit and integration tests, and returns their JSON reports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const suites = [
  { name: 'acceptance', config: 'quality/acceptance/vitest.config.ts' },
  { name: 'unit', config: 'vitest.config.ts' },
] as const;

/** `progress`: what becomes of the runner's own output. Standard output belongs to the table or the JSON line. */
export async function runSuites(root: string, progress: 'to stderr' | 'ignore'): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millpond-conformance-'));
  try {
    const reports: string[] = [];
    for (const { name, config } of suites) {
      const file = join(folder, `${name}.json`);
      await runVitest(root, config, file, progress === 'ignore' ? 'ignore' : 2);
      reports.push(await readReport(name, file));
    }
    return reports;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVitest(root: string, config: string, file: string, output: 'ignore' | 2): Promise<void> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    'run',
    '--config',
    config,
    // Writes nothing beside the configuration, which may be somebody else's.
    '--configLoader',
    'native',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, stdio: ['ignore', output, output] });
  // Failed tests end it with 1, which is a result for us; that it could not run shows in the missing report.
  await once(child, 'close');
}

async function readReport(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`the ${name} suite wrote no report`, { cause });
  }
}
