/** docs/logs.md has every message that the server logs and every field of them, and no other. */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { logFieldsOf } from './log-fields.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** A call of the log, up to its message; a message that is computed has its first words here. */
const CALL = /\blog\.(?:debug|info|warn|error)\(\s*(?:[^'`;]*?,\s*)?(?:'([^']+)'|`([^$`]+)\$\{)/g;
/** What a periodic job says when it has done something. */
const SAYS = /\bsays: '([^']+)'|\boften\('[^']+', '([^']+)'/g;

/** Fields of every line. */
const ALWAYS = ['level', 'time', 'pid', 'msg'];
/** What is written as something other than an object, with the fields that it has. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  'nameOf(exchange)': ['reqid', 'method', 'path'],
  'facts()': ['status', 'ms'],
  'reasonOf(fault)': ['error', 'error_code', 'error_description', 'hint', 'detail'],
  'exchange.reason': [],
  // BlockedTarget
  blocked: ['host', 'address', 'reason'],
  // Fields of an endpoint.
  words: ['endpoint', 'error'],
  'lifecycle.run(signal)': ['removed', 'moved', 'aborted'],
  // Results of periodic work, see its `run`.
  figures: [],
  'await packer(settings.packAfter).run(signal)': ['packs', 'blobs'],
};

async function* sources(): AsyncGenerator<string> {
  for await (const file of glob('packages/{server,base,outbound,camera-wire,blobs,jail}/src/**/*.ts', {
    cwd: ROOT,
  }))
    if (!/\.test\.ts$|[/.]testing/.test(file)) yield readFile(path.join(ROOT, file), 'utf8');
}

async function loggedMessages(): Promise<Set<string>> {
  const messages = new Set<string>();
  for await (const text of sources()) {
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

test('every field is on the page with an example, and every field of the page is written', async () => {
  const names = new Set(ALWAYS);
  const computed = new Set<string>();
  for await (const text of sources()) {
    if (!/\blog\.|\bsays:|\boften\(/.test(text)) continue;
    const found = logFieldsOf(text);
    for (const name of found.names) names.add(name);
    for (const expression of found.computed) computed.add(expression);
  }
  expect([...computed].filter((expression) => !(expression in COMPUTED))).toEqual([]);
  for (const expression of computed) for (const name of COMPUTED[expression] ?? []) names.add(name);
  const page = await readFile(path.join(ROOT, 'docs/logs.md'), 'utf8');
  const [table = ''] = /^\| field .*\n(?:\|.*\n)+/m.exec(page) ?? [];
  const rows = table
    .split('\n')
    .slice(2, -1)
    .map((row) => row.split('|').map((cell) => cell.trim()));
  const told = rows.flatMap(([, fields = '']) => [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect([...names].filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !names.has(name ?? ''))).toEqual([]);
  for (const [, field, , , example] of rows)
    expect({ field, example }).toEqual({ field, example: expect.stringMatching(/^`.+`$/) as string });
});

test('the fields are found in whatever way a line is written', () => {
  const { names, computed } = logFieldsOf(`
    this.#deps.log.warn({ a: 1, b, ...more() }, 'x'); log.error(\`y\`); catalog.info({ no: 1 }, 'z'); log.info(figures, says);
    const job = { says: 'done', async run() { if (1) return { c: 2 }; return {}; } };
    often('n', 'done', async () => ({ d: 1 }));
  `);
  expect([...names].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect([...computed]).toEqual(['more()', 'figures']);
});
