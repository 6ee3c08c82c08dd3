/** docs/logs.md has every message that the server logs, and no other. */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** A call of the log, up to its message; a message that is computed has its first words here. */
const CALL = /\blog\.(?:debug|info|warn|error)\(\s*(?:[^'`;]*?,\s*)?(?:'([^']+)'|`([^$`]+)\$\{)/g;
/** What a periodic job says when it has done something. */
const SAYS = /\bsays: '([^']+)'|\boften\('[^']+', '([^']+)'/g;

async function loggedMessages(): Promise<Set<string>> {
  const messages = new Set<string>();
  for await (const file of glob('packages/server/src/**/*.ts', { cwd: ROOT })) {
    if (/\.test\.ts$|\/testing/.test(file)) continue;
    const text = await readFile(path.join(ROOT, file), 'utf8');
    for (const pattern of [CALL, SAYS])
      for (const [, whole, begin] of text.matchAll(pattern)) messages.add(whole ?? (begin ?? '').trim());
  }
  return messages;
}

test('every message is on the page, and every message of the page is logged', async () => {
  const page = await readFile(path.join(ROOT, 'docs/logs.md'), 'utf8');
  const [, ...sections] = page.split(/^## (?=Requests$)/m);
  const named = [...sections.join('').matchAll(/(?:^\| |, |figures: |^)`([^`]+)`(?= *\||,|\.|$)/gm)].map(
    ([, name]) => (name ?? '').replace(/ …$/, ''),
  );
  const logged = await loggedMessages();
  expect(logged.size).toBeGreaterThan(70);
  expect([...logged].filter((message) => !named.includes(message.replace(/:$/, ':')))).toEqual([]);
  const words = named.filter((name) => name.includes(' ') && !name.startsWith('millpond '));
  expect(words.filter((name) => !logged.has(name))).toEqual([]);
});
