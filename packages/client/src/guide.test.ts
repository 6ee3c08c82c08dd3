/** The programs of the page about the library, as TypeScript sees them where it is strict. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');
const SOURCE = path.join(ROOT, 'packages/client/src');
const folder = mkdtempSync(path.join(tmpdir(), 'millpond-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(path.join(ROOT, 'docs/sdk.md'), 'utf8');
const programs = [...page.matchAll(/^```js(?: (\S+))?\n(.*?)^```/gms)].map(([, name = '', text = '']) => ({
  name,
  text,
}));

/** What a page has, and what the text says that it has. */
const IN_PAGE =
  'declare const file: File;\ndeclare const token: string;\ndeclare const bar: HTMLProgressElement;\n';
/** What the first program declares. */
const CLIENT = "declare const client: import('@millpond/client/server').Client;\n";

const STRICT = {
  target: 'es2024',
  module: 'nodenext',
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  moduleDetection: 'force',
  skipLibCheck: true,
};

interface Program {
  readonly name: string;
  readonly text: string;
}
const isForPage = ({ name }: Program): boolean => name === 'browser';

/** Complaints of the compiler about some programs, each line with the name of its program. One run, because starting it takes longest. */
function complaints(all: readonly Program[], isPage = false): string {
  const at = mkdtempSync(path.join(folder, 'programs-'));
  writeFileSync(path.join(at, 'package.json'), '{"type":"module"}');
  for (const { name, text } of all) {
    const before = isPage ? IN_PAGE : /\bconst client\b/.test(text) ? '' : CLIENT;
    writeFileSync(path.join(at, `${name}.ts`), before + text);
  }
  const compilerOptions = {
    ...STRICT,
    lib: isPage ? ['es2024', 'dom', 'dom.asynciterable'] : ['es2024', 'esnext.disposable'],
    types: isPage ? [] : ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    paths: {
      '@millpond/client': [path.join(SOURCE, isPage ? 'browser.ts' : 'index.ts')],
      '@millpond/client/server': [path.join(SOURCE, 'server/index.ts')],
    },
  };
  const project = path.join(at, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: all.map(({ name }) => `${name}.ts`) }));
  try {
    return execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout: unknown }).stdout);
  }
}

test('there are programs', () => {
  expect(programs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['server', 'browser', 'downloads']),
  );
});

describe('those for servers, compiled with one that is wrong', () => {
  const text =
    "for await (const { item } of client.objects.list('b', { delimiter: '/' })) console.log(item.key);\n";
  const wrong: string[] = [];
  const others: string[] = [];
  beforeAll(() => {
    const said = complaints([
      ...programs.filter((program) => !isForPage(program)),
      { name: 'that-is-wrong', text },
    ]);
    // Lines that are indented go on with the one before them.
    for (const complaint of said.split(/\n(?=\S)/))
      (/^\S*\bthat-is-wrong\.ts\(/.test(complaint) ? wrong : others).push(complaint);
  });

  test('are right', () => {
    expect(others).toEqual([]);
  });

  test('and that one is not', () => {
    expect(wrong.join('\n')).toMatch(/item.*undefined/);
  });
});

test('that for a page is right', () => {
  expect(complaints(programs.filter(isForPage), true)).toBe('');
});
