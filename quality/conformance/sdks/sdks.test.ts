import { expect, test } from 'vitest';
import { parseOptions, UsageError } from './options.ts';
import { startReceiver } from './receiver.ts';
import { readOutcome, tableText } from './rows.ts';

const call = (row: string, name: string, passed = true) => JSON.stringify({ row, name, passed, detail: '' });

const DONE = '{"done":true}';

test('the table has a row for what any SDK can do, and says what failed', () => {
  const python = readOutcome(
    'Python',
    [
      '{"sdk":"Python","version":"7.1"}',
      'a warning',
      call('form', 'put'),
      call('form', 'put too', false),
      DONE,
    ].join('\n'),
  );
  const ruby = readOutcome('Ruby', [call('form', 'put'), call('fetch', 'fetch'), DONE].join('\n'));
  expect(tableText([python, ruby]).split('\n')).toEqual([
    '| call        | Python 7.1 | Ruby unknown |',
    '| ----------- | ---------- | ------------ |',
    '| form upload | ✗ (1 of 2) | ✓            |',
    '| fetch       | –          | ✓            |',
  ]);
});

test('a row that is not in the table is a fault of the program', () => {
  expect(() => readOutcome('Ruby', `${call('fly', 'fly')}\n${DONE}`)).toThrow('fly');
});

test('a program that ended early shows nothing', () => {
  expect(() => readOutcome('Ruby', call('form', 'put'))).toThrow('did not reach its end');
});

test('the command line', () => {
  expect(parseOptions(['src', '--only', 'PHP,java', '--store', 's3', '--json'])).toEqual({
    folder: 'src',
    only: ['php', 'java'],
    store: 's3',
    json: true,
  });
  expect(parseOptions(['--help'])).toBeUndefined();
  for (const wrong of [[], ['a', 'b'], ['a', '--only', 'cobol'], ['a', '--store', 'tape'], ['a', '--x']])
    expect(() => parseOptions(wrong)).toThrow(UsageError);
});

test('the receiver says what the last callback was', async () => {
  const receiver = await startReceiver();
  try {
    const sent = { method: 'POST', headers: { authorization: 'QBox x' }, body: 'k=v' };
    expect(await (await fetch(`${receiver.url}/callback?x=1`, sent)).json()).toEqual({ seen: true });
    await fetch(`${receiver.url}/notify`, sent);
    expect(await (await fetch(`${receiver.url}/last`)).json()).toMatchObject({
      url: '/callback?x=1',
      headers: { authorization: 'QBox x' },
      body: 'k=v',
    });
  } finally {
    await receiver.close();
  }
});
