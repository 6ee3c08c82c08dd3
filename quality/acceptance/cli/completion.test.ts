/** Completion in the shells themselves: commands, options, aliases, buckets and keys, by the command and by npx. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { COMMAND } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { isInstalled, startTyping, type TypingShell } from '../support/running/typing-shell.ts';
import { newBucket, target } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();
const run = promisify(execFile);
const at = (...names: string[]) => path.join(cli.folder, ...names);
const scriptFor = (shell: string) => at(`completion.${shell}`);
const environment = () => ({
  ...cli.environment,
  // However busy the machine is.
  MILLPOND_COMPLETION_SECONDS: '120',
  PATH: `${at('bin')}:${process.env.PATH}`,
});

/** Whoever is let upload names objects. */
const EVIL = '2026/x$(touch came-true)`touch came-true`\'"!y';
const EVIL_QUOTED = '2026/x\\$\\(touch\\ came-true\\)\\`touch\\ came-true\\`\\\'\\"\\!y';

const missing = ['bash', 'zsh', 'fish'].filter((shell) => !isInstalled(shell));
if (missing.length > 0)
  console.warn(`not installed, so their completion is not tested: ${missing.join(', ')}`);

let bucket = '';
beforeAll(async () => {
  bucket = await newBucket();
  for (const key of ['2026/first day.txt', '2026/summer/a', 'readme.md', EVIL])
    await client.upload(bucket, key, key);
  const { accessKey, secretKey } = target.account;
  await cli.run(['alias', 'set', 'prod', target.url, '--access-key', accessKey], secretKey);
  // As it is installed in the path, and in a project for npx, which is not asked where the project has it.
  for (const folder of [at('bin'), at('project/node_modules/.bin')]) {
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'millpond'),
      `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`,
    );
    await chmod(path.join(folder, 'millpond'), 0o755);
  }
  await writeFile(at('project/notes.txt'), '');
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(scriptFor(shell), (await cli.run(['completion', shell])).stdout);
});

/** A line, and what the tab key makes of it. */
const lines = (): [string, string][] => [
  ['millpond al', 'millpond alias '],
  ['millpond alias rem', 'millpond alias remove '],
  ['millpond cp --rec', 'millpond cp --recursive '],
  ['millpond dev --dialect q', 'millpond dev --dialect qiniu '],
  ['millpond alias remove p', 'millpond alias remove prod '],
  ['millpond usage --at p', 'millpond usage --at prod '],
  ['millpond cp not', 'millpond cp notes.txt '],
  ['millpond ls p', 'millpond ls prod:'],
  [`millpond ls :${bucket.slice(0, -1)}`, `millpond ls :${bucket}/`],
  [`millpond ls prod:${bucket.slice(0, -1)}`, `millpond ls prod:${bucket}/`],
  [`millpond bucket show :${bucket.slice(0, -1)}`, `millpond bucket show :${bucket} `],
  [`millpond token make ${bucket.slice(0, -1)}`, `millpond token make ${bucket} `],
  [`millpond stat :${bucket}/rea`, `millpond stat :${bucket}/readme.md `],
  [`millpond cp notes.txt prod:${bucket}/2026/s`, `millpond cp notes.txt prod:${bucket}/2026/summer/`],
  [`millpond rm :${bucket}/2026/f`, `millpond rm :${bucket}/2026/first\\ day.txt `],
  [`millpond rm :${bucket}/2026/x`, `millpond rm :${bucket}/${EVIL_QUOTED} `],
  [`npx millpond stat :${bucket}/rea`, `npx millpond stat :${bucket}/readme.md `],
  ['npx millpond al', 'npx millpond alias '],
  ['npx not', 'npx notes.txt '],
];

describe.each(['bash', 'zsh'] as const)('%s', (shell) => {
  const isHere = isInstalled(shell);
  let typing: TypingShell;
  beforeAll(async () => {
    if (!isHere) return;
    const prepare = shell === 'zsh' ? 'autoload -Uz compinit; compinit -u -D; ' : '';
    const setUp = `${prepare}source '${scriptFor(shell)}'`;
    typing = await startTyping(shell, setUp, { cwd: at('project'), env: environment() });
  });
  afterAll(() => typing?.close());

  test.skipIf(!isHere)(
    `completes commands, options, aliases, buckets and keys, and npx millpond too`,
    async () => {
      const typed: [string, string][] = [];
      for (const [line] of lines()) typed.push([line, await typing.complete(line)]);
      expect(typed).toEqual(lines());
    },
  );
  test.skipIf(!isHere)('completes in quotes, where no name becomes a command', async () => {
    for (const quote of ['"', "'"]) {
      const line = `millpond rm ${quote}:${bucket}/2026/`;
      expect((await typing.complete(`${line}f`)).trimEnd()).toBe(`${line}first day.txt${quote}`);
      const [end = ''] = (await typing.complete(`${line}x`)).split('2026/').slice(1);
      if (quote === '"') expect(end).not.toMatch(/(?<!\\)[$`]/);
      else expect(end.replaceAll("'\\''", '')).not.toMatch(/'\S/);
    }
  });
});

describe('fish', () => {
  const isHere = isInstalled('fish');
  test.skipIf(!isHere)(
    'completes commands, options, aliases, buckets and keys, and npx millpond too',
    async () => {
      const known = lines().map(([line, whole]): [string, string] => [line, whole.trimEnd()]);
      const asked = known.map(([line]) => `echo (complete -C '${line}')[1]`);
      const { stdout } = await run(
        'fish',
        ['--no-config', '-c', `source '${scriptFor('fish')}'\n${asked.join('\n')}`],
        { cwd: at('project'), env: environment() },
      );
      const offered = stdout.split('\n').map((text) => text.split('\t')[0]);
      const typed = known.map(([line], index) => [
        line,
        line.slice(0, line.lastIndexOf(' ') + 1) + offered[index],
      ]);
      // It shows words as they are, and quotes what is taken.
      expect(typed).toEqual(known.map(([line, whole]) => [line, whole.replaceAll('\\', '')]));
    },
  );
});

test('an installation that is away is no reason to wait, and nothing is said of it', async () => {
  const away = { ...cli.environment, MILLPOND_ENDPOINT: 'http://127.0.0.1:1' };
  const { stdout, stderr } = await run(process.execPath, [COMMAND, 'complete', 'place', ':b'], { env: away });
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
