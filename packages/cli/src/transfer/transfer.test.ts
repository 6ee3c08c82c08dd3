import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MillpondError } from '@millpond/client';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { exitCodes } from '../exit.ts';
import { describe as describeError } from '../report.ts';
import { checkCompleted } from './completed-steps.ts';
import { runConcurrently, Semaphore } from './concurrency.ts';
import { summaryText } from './copy.ts';
import { nameOf, openJournal } from './journal.ts';
import { pathInFolder, walk } from './local-files.ts';
import { outageRetries } from './outage-retries.ts';
import { openProgress } from './progress.ts';
import { formatFields, parseFields } from './tsv.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'millpond-transfer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what a list has is what was written, whatever is in the names', () => {
  fc.assert(
    fc.property(fc.array(anyText(), { minLength: 1, maxLength: 4 }), (fields) => {
      const line = formatFields(fields);
      expect(line.split('\n')).toHaveLength(2);
      expect(parseFields(line.slice(0, -1))).toEqual(fields);
    }),
  );
});

describe('paths of keys', () => {
  test.each(['../a', 'a/../../b', '/etc/passwd', 'a//b', '.', 'a/', '', 'a\0b'])('%j is refused', (key) => {
    expect(() => pathInFolder('/data', key)).toThrow(/not a safe file name/);
  });

  test('none leads out of its folder', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        try {
          expect(path.relative('/data', pathInFolder('/data', key))).not.toMatch(/^\.\.(?:\/|$)/);
        } catch (error) {
          expect(String(error)).toContain('not a safe file name');
        }
      }),
    );
  });
});

describe('journals', () => {
  const job = ['a', 'b'];

  test('what was done is known to the next, a torn line is not, and the end removes it', async () => {
    const first = await openJournal(folder, job);
    first.add(nameOf('one'), 'Fhash');
    first.end(false);
    const [file = ''] = readdirSync(folder);
    writeFileSync(path.join(folder, file), `${nameOf('two')} Fha`, { flag: 'a' });
    const second = await openJournal(folder, job);
    expect([second.hashOf(nameOf('one')), second.hashOf(nameOf('two'))]).toEqual(['Fhash', undefined]);
    expect((await openJournal(folder, ['another'])).hashOf(nameOf('one'))).toBe(undefined);
    second.end(true);
    expect((await openJournal(folder, job)).hashOf(nameOf('one'))).toBe(undefined);
  });

  test('what is older than a week is not believed', async () => {
    const first = await openJournal(folder, ['old']);
    first.add(nameOf('one'), 'Fhash');
    first.end(false);
    for (const file of readdirSync(folder)) utimesSync(path.join(folder, file), 0, 0);
    expect((await openJournal(folder, ['old'])).hashOf(nameOf('one'))).toBe(undefined);
    expect(readdirSync(folder).every((file) => !readFileSync(path.join(folder, file)).includes('one'))).toBe(
      true,
    );
  });
});

describe('lanes', () => {
  async function* upTo(count: number) {
    for (let n = 0; n < count; n++) yield n;
  }

  test('take no more than they work on', async () => {
    let [begun, ended, most] = [0, 0, 0];
    async function* counted() {
      for await (const n of upTo(50)) {
        begun++;
        most = Math.max(most, begun - ended);
        yield n;
      }
    }
    await runConcurrently(counted(), 4, new AbortController().signal, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      ended++;
    });
    expect([ended, most]).toEqual([50, 4]);
  });

  test('a gate lets so many in', async () => {
    const semaphore = new Semaphore(2);
    let [now, most] = [0, 0];
    const pass = () =>
      semaphore.pass(async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now--;
      });
    await Promise.all(Array.from({ length: 9 }, pass));
    expect(most).toBe(2);
  });
});

describe('what an earlier command has done', () => {
  const place = (key: string) => ({ kind: 'remote', alias: '', bucket: 'b', key }) as const;

  async function* steps(count: number) {
    for (let n = 0; n < count; n++) {
      const file = { path: `f${n}`, relative: `f${n}`, size: 1, version: '1', modified: 0n };
      const step = { kind: 'up', file, to: place(`f${n}`) } as const;
      yield { step, subject: [file.path, `:b/${file.path}`] as const, mark: `m${n}` };
    }
  }

  test('is asked for a thousand at a time, and only what is still the same is done', async () => {
    const batches: number[] = [];
    const answers = [
      { ok: true, code: 200, data: { hash: 'same' } },
      { ok: true, code: 200, data: { hash: 'another' } },
      { ok: false, code: 612 },
    ];
    const batch = async (list: string[]) => {
      batches.push(list.length);
      return list.map((_, index) => answers[index % answers.length]);
    };
    const installations = { client: () => ({ objects: { batch } }) };
    const { signal } = new AbortController();
    const hashOf = ({ mark }: { mark: string | undefined }) => (mark === 'm0' ? undefined : 'same');
    let done = 0;
    let count = 0;
    for await (const { isDone } of checkCompleted(steps(2501), {
      installations: installations as never,
      signal,
      hashOf,
    })) {
      count++;
      if (isDone) done++;
    }
    expect([count, batches]).toEqual([2501, [1000, 1000, 500]]);
    expect(done).toBe(334 + 334 + 167);
  });
});

test('a folder that cannot be read is told as one', async () => {
  const told: unknown[] = [];
  const way = {
    followLinks: false,
    onFailure: (found: object, error: unknown) => told.push({ ...found, error }),
    onLeftOut: () => undefined,
  };
  for await (const file of walk(path.join(folder, 'away'), way, 'x/away/')) told.push(file);
  const error = expect.objectContaining({ code: 'ENOENT' });
  expect(told).toEqual([{ path: `${path.join(folder, 'away')}/`, relative: 'x/away/', error }]);
});

test('the time for which a server is waited for is that of all files together', () => {
  let now = 0;
  let told = 0;
  const retries = outageRetries({ seconds: 60, now: () => now, tell: () => told++ });
  expect(retries).toMatchObject({ atLeast: 60_000, tries: 6 });
  for (; now < 30_000; now += 1000) retries.onRetry?.(undefined);
  expect([retries.atLeast, retries.tries, told]).toEqual([30_000, 6, 3]);
  now = 61_000;
  expect([retries.atLeast, retries.tries]).toEqual([0, 1]);
  retries.onSuccess?.();
  expect([retries.atLeast, retries.tries]).toEqual([60_000, 6]);
});

describe('progress', () => {
  const MIB = 1024 ** 2;

  function shownAs(isTTY: boolean) {
    vi.useFakeTimers();
    let text = '';
    const stream = { isTTY, columns: 100, write: (piece: string) => (text += piece) };
    const progress = openProgress({ stream: stream as never, now: () => Date.now() });
    progress.expect(2, 40 * MIB);
    const tell = progress.begin('large', 30 * MIB);
    tell(10 * MIB);
    vi.advanceTimersByTime(isTTY ? 1000 : 5000);
    tell(20 * MIB);
    vi.advanceTimersByTime(isTTY ? 1000 : 5000);
    progress.end('large');
    progress.close();
    vi.useRealTimers();
    return text;
  }

  test('is bars with rate and remaining time on a terminal, gone at the end', () => {
    const text = shownAs(true);
    expect(text).toContain(' 66 % 30.0 MiB  large');
    expect(text).toMatch(/ 50 % {2}0\/2 {2}20\.0 MiB of 40\.0 MiB {2}\S+ MiB\/s {2}0:0\d left/);
    expect(text.endsWith('\u001b[J')).toBe(true);
  });

  test('is a plain line every five seconds elsewhere', () => {
    const lines = shownAs(false).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/ 50 % {2}0\/2 {2}20\.0 MiB of 40\.0 MiB {2}2\.0 MiB\/s {2}0:10 left$/);
  });

  test('has no share and no remaining time where nobody knows how much there is', () => {
    vi.useFakeTimers();
    let text = '';
    const stream = { isTTY: false, write: (piece: string) => (text += piece) };
    const progress = openProgress({ stream: stream as never, now: () => Date.now() });
    progress.begin('piped', undefined)(10 * MIB);
    vi.advanceTimersByTime(5000);
    progress.close();
    vi.useRealTimers();
    expect(text).toBe('0 done  10.0 MiB  2.0 MiB/s\n');
  });

  test('the summary says what moved, and which way', () => {
    const counts = { done: 1, skipped: 0, leftOut: 0, planned: 0, failed: 0 };
    const said = (sent: number, received: number) =>
      summaryText(counts, { copied: 4 * MIB, sent, received }, 2);
    expect(said(4 * MIB, 0)).toBe('1 copied (4.0 MiB) in 2.0 s, 2.0 MiB/s sent; 0 done before, 0 failed');
    expect(said(0, 4 * MIB)).toContain(' s, 2.0 MiB/s received;');
    expect(said(0, 0)).toContain('in 2.0 s;');
  });

  test('is nothing if nothing is to be said', () => {
    const progress = openProgress({ quiet: true, stream: undefined as never });
    progress.begin('a', 1)(1);
    progress.close();
  });
});

describe('exit codes', () => {
  test.each([
    [404, 'notFound'],
    [612, 'notFound'],
    [631, 'notFound'],
    [401, 'denied'],
    [403, 'denied'],
    [613, 'conflict'],
    [614, 'conflict'],
    [573, 'temporary'],
    [599, 'temporary'],
    [502, 'temporary'],
    [400, 'usage'],
    [640, 'usage'],
    [200, 'fatal'],
  ] as const)('%i is %s', (status, name) => {
    expect(describeError(new MillpondError('unexpected', 'x', { status })).code).toBe(exitCodes[name]);
  });

  test.each([
    ['network', 'temporary'],
    ['timeout', 'temporary'],
    ['cancelled', 'interrupted'],
    ['usage', 'usage'],
    ['integrity', 'fatal'],
  ] as const)('without an answer, %s is %s', (code, name) => {
    expect(describeError(new MillpondError(code, 'x')).code).toBe(exitCodes[name]);
  });
});
