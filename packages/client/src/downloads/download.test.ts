/** Downloads as a page sees them, which is not told every header, and as Node does. */
import { etagOf } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { MillpondError } from '../core/error.ts';
import type { Transport } from '../core/transport.ts';
import { nodeDigests } from '../node/digests.ts';
import { download } from './download.ts';

const CONTENT = new TextEncoder().encode('0123456789');
const HASH = etagOf(nodeDigests.hashing, CONTENT);

interface Served {
  /** Names of headers that the reader may see. */
  readonly exposed: readonly string[];
  readonly content?: Uint8Array;
  /** Bytes after which the first answer breaks. */
  readonly breakAfter?: number;
  readonly isDecoded?: boolean;
}

function serving({ exposed, content = CONTENT, breakAfter, isDecoded = false }: Served) {
  const asked: Readonly<Record<string, string>>[] = [];
  const transport: Transport = async ({ headers }) => {
    asked.push(headers);
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const end = Math.min(content.length, to === '' ? content.length : Number(to) + 1);
    const piece = content.subarray(Number(from), end);
    const all: Readonly<Record<string, string>> = {
      'content-length': String(piece.length),
      etag: `"${HASH}"`,
      ...(headers.range === undefined
        ? {}
        : { 'content-range': `bytes ${from}-${end - 1}/${content.length}` }),
    };
    const isBroken = breakAfter !== undefined && asked.length === 1;
    return {
      status: headers.range === undefined ? 200 : 206,
      isDecoded,
      header: (name) => (exposed.includes(name) ? all[name] : undefined),
      text: async () => '',
      async *chunks() {
        yield isBroken ? piece.subarray(0, breakAfter) : piece;
        if (isBroken) throw new MillpondError('network', 'the line is cut');
      },
      discard: () => undefined,
    };
  };
  return { asked, parts: { transport, digests: nodeDigests } };
}

const EVERYTHING = ['content-length', 'content-range', 'etag'];
/** What browsers show of any answer. */
const SAFE = ['content-length'];

test('all of it, as bytes and as text', async () => {
  const { parts } = serving({ exposed: EVERYTHING });
  expect(await (await download(parts, 'u')).bytes()).toEqual(CONTENT);
  expect(await (await download(parts, 'u', { start: 3 })).text()).toBe('3456789');
});

test('other bytes than were stored are refused', async () => {
  const { parts } = serving({ exposed: EVERYTHING, content: new TextEncoder().encode('0123456780') });
  await expect((await download(parts, 'u')).text()).rejects.toMatchObject({ code: 'integrity' });
});

test('a range that ends behind the object ends with it', async () => {
  const { parts, asked } = serving({ exposed: EVERYTHING });
  expect(await (await download(parts, 'u', { start: 8, end: 99 })).text()).toBe('89');
  expect(asked).toHaveLength(1);
});

describe('content that the browser has decoded', () => {
  const content = new TextEncoder().encode('something longer than what is stored');

  test('is what arrives: it has neither the hash nor the length of the object', async () => {
    const { parts } = serving({ exposed: EVERYTHING, content, isDecoded: true });
    const got = await download(parts, 'u');
    expect([got.hash, await got.text()]).toEqual([HASH, 'something longer than what is stored']);
  });

  test('can’t go on where it broke', async () => {
    const { parts, asked } = serving({ exposed: EVERYTHING, content, isDecoded: true, breakAfter: 4 });
    await expect((await download(parts, 'u')).text()).rejects.toThrow('the browser decodes its content');
    expect(asked).toHaveLength(1);
  });
});

describe('a page that may not see ETag and Content-Range', () => {
  test.each([
    [{}, '0123456789', 10],
    [{ start: 3 }, '3456789', 10],
    [{ end: 4 }, '0123', 0],
    [{ start: 2, end: 4 }, '23', 0],
  ])('gets %j', async (options, text, size) => {
    const { parts } = serving({ exposed: SAFE });
    const got = await download(parts, 'u', options);
    expect([got.hash, got.size, await got.text()]).toEqual(['', size, text]);
  });

  test('is told what to expose where a download broke, and never gets two objects in one', async () => {
    const { parts, asked } = serving({ exposed: SAFE, breakAfter: 4 });
    await expect((await download(parts, 'u')).text()).rejects.toMatchObject({
      code: 'network',
      hint: expect.stringContaining('expose ETag and Content-Range'),
    });
    expect(asked).toEqual([{}]);
  });

  test('begins again where nothing had come yet, and goes on where it knows the hash', async () => {
    const unbegun = serving({ exposed: SAFE, breakAfter: 0 });
    expect(await (await download(unbegun.parts, 'u')).text()).toBe('0123456789');
    expect(unbegun.asked).toEqual([{}, { range: 'bytes=0-9' }]);
    const known = serving({ exposed: SAFE, breakAfter: 4 });
    expect(await (await download(known.parts, 'u', { hash: HASH })).text()).toBe('0123456789');
    expect(known.asked).toEqual([
      { 'if-match': `"${HASH}"` },
      { 'if-match': `"${HASH}"`, range: 'bytes=4-9' },
    ]);
  });
});
