import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { encodeBase64 } from '../base64.ts';
import { BLOCK_SIZE, etagOf, etagOfBlocks, formatEtag, parseEtag } from './etag.ts';
import { etagOfParts } from './parts.ts';
import { createEtagStream } from './stream.ts';

const MIB = 1024 * 1024;
const ascii = (text: string) => new TextEncoder().encode(text);

function zerosEndingIn0(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes[size - 1] = 0x30;
  return bytes;
}

function streamed(content: Uint8Array, chunkSize: number) {
  const stream = createEtagStream(hashing);
  for (let at = 0; at < content.length; at += chunkSize) stream.update(content.subarray(at, at + chunkSize));
  return stream.digest();
}

const vectors: [string, Uint8Array, string][] = [
  ['nothing', new Uint8Array(), 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ'],
  ['"etag"', ascii('etag'), 'FpLiADEaVoALPkdb8tJEJyRTXoe_'],
  ['1 MiB', zerosEndingIn0(MIB), 'FnlAdmDasGTQOIgrU1QIZaGDv_1D'],
  ['exactly one block', new Uint8Array(4 * MIB).fill(0x41), 'Fk4X-a-oP56Q2NxW-CO8oeaAHVWS'],
  ['a block and a byte', zerosEndingIn0(4 * MIB + 1), 'ljF323utglY3GI6AvLgawSJ4_dgk'],
  ['a block and a half', new Uint8Array(6 * MIB).fill(0x41), 'loBnA0n09CRrWh6Ppw-RL0RlCjG4'],
];

describe('etag of content', () => {
  test.each(vectors)('of %s, in memory and streamed', (_, content, etag) => {
    expect(etagOf(hashing, content)).toBe(etag);
    expect(streamed(content, 64 * 1024).etag).toBe(etag);
    expect(streamed(content, 1_000_003).etag).toBe(etag);
    expect(streamed(content, content.length || 1)).toMatchObject({ etag, size: content.length });
  });

  test('of a known SHA-1', () => {
    const sha1 = Buffer.from('1f3156aa1dd8c4359a871f2384b82a944be83f7c', 'hex');
    expect(formatEtag('oneBlock', sha1)).toBe('Fh8xVqod2MQ1mocfI4S4KpRL6D98');
  });

  test('it does not depend on how the content came in [G20]', () => {
    const content = new Uint8Array(9 * MIB + 5);
    for (let i = 0; i < content.length; i += 4099) content[i] = i;
    const etag = etagOf(hashing, content);
    const cuts = fc.array(fc.integer({ min: 0, max: content.length }), { maxLength: 12 });
    const nearBlocks = fc.constantFrom(BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE);
    fc.assert(
      fc.property(cuts, fc.array(nearBlocks, { maxLength: 3 }), (somewhere, onEdges) => {
        const stream = createEtagStream(hashing);
        let from = 0;
        for (const to of [...somewhere, ...onEdges, content.length].sort((a, b) => a - b)) {
          stream.update(content.subarray(from, to));
          from = to;
        }
        expect(stream.digest()).toMatchObject({ etag, size: content.length });
      }),
      { numRuns: 15 },
    );
  });

  test('a chunk may be overwritten once it was taken', () => {
    const chunk = ascii('et');
    const stream = createEtagStream(hashing);
    stream.update(chunk);
    chunk.set(ascii('ag'));
    stream.update(chunk);
    expect(stream.digest().etag).toBe('FpLiADEaVoALPkdb8tJEJyRTXoe_');
  });

  test('the block hashes of a stream give its etag again, also beyond a few blocks', () => {
    const block = new Uint8Array(BLOCK_SIZE);
    const stream = createEtagStream(hashing);
    for (let i = 0; i < 9; i++) stream.update(block);
    stream.update(ascii('end'));
    const { etag, blockHashes, size } = stream.digest();
    expect(size).toBe(9 * BLOCK_SIZE + 3);
    expect(blockHashes).toHaveLength(10 * 20);
    expect(blockHashes.subarray(0, 20)).toEqual(new Uint8Array(hashing.sha1Of(block)));
    expect(blockHashes.subarray(180)).toEqual(new Uint8Array(hashing.sha1Of(ascii('end'))));
    expect(etagOfBlocks(hashing, blockHashes)).toBe(etag);
  });

  test('the empty stream has no blocks, and no blocks have the etag of nothing', () => {
    expect(createEtagStream(hashing).digest()).toEqual({
      etag: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ',
      size: 0,
      blockHashes: new Uint8Array(),
    });
    expect(() => etagOfBlocks(hashing, new Uint8Array(19))).toThrow(RangeError);
  });
});

describe('etag of parts', () => {
  const sizes = (...list: number[]) =>
    list.map((size) => ({ size, etag: etagOf(hashing, new Uint8Array(size).fill(0x41)) }));

  test('off the grid', () => {
    expect(etagOfParts(hashing, sizes(5 * MIB, MIB))).toBe('ngqDl2I-UdCzb_x6YZy7sELzGcz8');
  });

  test('on the grid it is the etag of the whole', () => {
    expect(etagOfParts(hashing, sizes(4 * MIB, 2 * MIB))).toBe('loBnA0n09CRrWh6Ppw-RL0RlCjG4');
    expect(etagOfParts(hashing, sizes(4 * MIB))).toBe('Fk4X-a-oP56Q2NxW-CO8oeaAHVWS');
    expect(etagOfParts(hashing, sizes(4 * MIB, 0))).toBe('Fk4X-a-oP56Q2NxW-CO8oeaAHVWS');
    expect(etagOfParts(hashing, sizes(0))).toBe('Fto5o-5ea0sNMlW_75VgGJCv2AcJ');
    expect(etagOfParts(hashing, [])).toBe('Fto5o-5ea0sNMlW_75VgGJCv2AcJ');
  });

  test('a short part in the middle, or a single long one, is off the grid', () => {
    expect(etagOfParts(hashing, sizes(4 * MIB, MIB, MIB))).toMatch(/^n/);
    expect(etagOfParts(hashing, sizes(2 * MIB, 4 * MIB))).toMatch(/^n/);
    const [whole] = sizes(6 * MIB);
    const inner = hashing.sha1Of(parseEtag(whole?.etag ?? '').sha1);
    expect(etagOfParts(hashing, sizes(6 * MIB))).toBe(formatEtag('parts', inner));
  });

  test('a part with a bad etag is refused', () => {
    expect(faultOf(() => etagOfParts(hashing, [{ size: 1, etag: 'x' }]))).toBe('invalidArgument');
  });
});

describe('the text of an etag', () => {
  test('reads back what it wrote', () => {
    const form = fc.constantFrom('oneBlock', 'blocks', 'parts');
    fc.assert(
      fc.property(form, fc.uint8Array({ minLength: 20, maxLength: 20 }), (name, sha1) => {
        const text = formatEtag(name, sha1);
        expect(text).toMatch(/^[Fln][\w-]{27}$/);
        expect(parseEtag(text)).toEqual({ form: name, sha1 });
      }),
    );
  });

  test('anything else is an invalid argument', () => {
    const shapes = fc.oneof(
      anyText(),
      fc.uint8Array({ minLength: 19, maxLength: 22 }).map((bytes) => encodeBase64(bytes)),
    );
    fc.assert(
      fc.property(shapes, (text) => {
        if (/^[Fln][\w-]{27}$/.test(text)) return;
        expect(faultOf(() => parseEtag(text))).toBe('invalidArgument');
      }),
    );
    expect(faultOf(() => parseEtag('Fto5o-5ea0sNMlW_75VgGJCv2A='))).toBe('invalidArgument');
    expect(faultOf(() => parseEtag('Fto5o-5ea0sNMlW_75VgGJCv2Ac='))).toBe('invalidArgument');
    expect(faultOf(() => parseEtag(encodeBase64(new Uint8Array(21))))).toBe('invalidArgument');
  });
});
