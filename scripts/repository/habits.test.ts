/** What hosts of repositories, editors and git read: it can be read, and what it names is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: readonly Step[] }>>;
}
interface Action {
  readonly runs: { readonly steps: readonly Step[] };
}

/** The scripts of package.json that a text calls. */
function calledIn(text: string): string[] {
  const named = [...text.matchAll(/npm run(?: --?[a-z]+)* ([a-z][a-z0-9:-]*)/g)].map(([, name = '']) => name);
  return /npm test\b/.test(text) ? [...named, 'test'] : named;
}

function missingScripts(text: string): string[] {
  return calledIn(text).filter((name) => !(name in scripts));
}

function checkSteps(steps: readonly Step[]): void {
  expect(steps.length).toBeGreaterThan(0);
  for (const { run, uses } of steps) {
    expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1);
    expect(missingScripts(run ?? '')).toEqual([]);
    if (uses?.startsWith('./')) expect(existsSync(path.join(ROOT, uses, 'action.yml')), uses).toBe(true);
  }
}

test('a script that is called and not there is found', () => {
  expect(
    missingScripts('npm run check && npm run --silent none && npm run no:thing -- --x; npm test'),
  ).toEqual(['none', 'no:thing']);
});

describe('workflows', () => {
  const folder = '.github/workflows';
  const names = readdirSync(path.join(ROOT, folder));

  it('are these', () =>
    expect(names.toSorted()).toEqual(['check.yml', 'nightly.yml', 'release.yml', 'test.yml']));

  it.each(names)('%s calls scripts that are there', (name) => {
    const { jobs } = parse(read(`${folder}/${name}`)) as Workflow;
    expect(Object.keys(jobs).length).toBeGreaterThan(0);
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toBeTruthy();
      checkSteps(job.steps);
    }
  });

  it('share what makes a machine ready', () => {
    checkSteps((parse(read('.github/actions/machine/action.yml')) as Action).runs.steps);
  });

  it('run each part of .ci/nightly by night', () => {
    const [, parts = ''] = /^all=\((.+)\)$/m.exec(read('.ci/nightly')) ?? [];
    expect(read('.github/workflows/nightly.yml')).toContain(`part: [${parts.split(' ').join(', ')}]`);
  });

  it('run the suites and the fault runs of .ci/run', () => {
    const text = read('.github/workflows/test.yml');
    const runs = [...read('.ci/run').matchAll(/"\$chaos ([a-z-]+)/g)].map(([, name = '']) => name);
    expect(runs.length).toBeGreaterThan(0);
    // An upgrade needs the packages of two versions: that is for .ci/run alone.
    for (const run of runs.filter((name) => name !== 'upgrade'))
      expect(text).toContain(`npm run chaos -- ${run}`);
  });
});

it.each(['bug', 'question', 'feature'])('the form for a %s has fields with ids', (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as {
    name: string;
    description: string;
    body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
  };
  expect(form.name && form.description).toBeTruthy();
  for (const { type, id, attributes } of form.body)
    expect(type === 'markdown' ? attributes.value : id && attributes.label).toBeTruthy();
});

it('the dependency bot looks where there is something', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { directory: string }[] };
  for (const { directory } of updates)
    expect(existsSync(path.join(ROOT, directory, 'package.json'))).toBe(true);
});

it('the first page of compose is the one that is tested', () => {
  const { include } = parse(read('compose.yaml')) as { include: string[] };
  expect(include).toEqual(['deploy/container/compose.yaml']);
});

it('editors start files that are there', () => {
  const { configurations } = JSON.parse(read('.vscode/launch.json')) as {
    configurations: { program?: string }[];
  };
  const programs = configurations.flatMap(({ program }) => program ?? []);
  expect(programs.length).toBeGreaterThan(0);
  for (const program of programs)
    expect(existsSync(program.replace(/^\$\{workspaceFolder\}/, ROOT)), program).toBe(true);
  for (const file of ['.vscode/settings.json', '.vscode/extensions.json', '.devcontainer/devcontainer.json'])
    JSON.parse(read(file));
});

it('the hook can be run', () => {
  const hook = path.join(ROOT, '.githooks/pre-commit');
  expect(statSync(hook).mode & 0o111).toBe(0o111);
  execFileSync('sh', ['-n', hook]);
});

it.each([
  'CONTRIBUTING.md',
  ...readdirSync(path.join(ROOT, 'docs/contributing')).map((name) => `docs/contributing/${name}`),
])('%s names scripts that are there', (page) => expect(missingScripts(read(page))).toEqual([]));
