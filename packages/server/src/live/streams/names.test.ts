import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engineName, parseEngineName } from './engine-name.ts';
import { isNamespaceId, newLiveId } from './ids.ts';
import { callbackUrl } from './namespaces/callback-url.ts';
import { checkPattern, fileName } from './namespaces/file-names.ts';
import { parseRecordedFile } from './recordings/recordings.ts';

const streamId = fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/);
const nsId = fc.stringMatching(/^[a-z][a-z0-9]{11}$/);

describe('names', () => {
  test('of streams at an engine are read back, whatever the stream is called', () => {
    fc.assert(
      fc.property(nsId, streamId, (ns, stream) => {
        const address = { nsId: ns, streamId: stream };
        expect(parseEngineName(engineName(address))).toEqual(address);
      }),
    );
  });

  test.each([
    '',
    '_',
    'abc_s',
    'abcdefghijkl',
    'abcdefghijkl_',
    'abcdefghijkl_a b',
    'Abcdefghijkl_s',
    '../../etc',
  ])('at an engine that are not ours are nobody’s: %j', (name) => {
    expect(parseEngineName(name)).toBeUndefined();
  });

  test('of recordings tell stream, kind and beginning, whatever the stream is called', () => {
    const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(nsId, streamId, time, fc.boolean(), fc.boolean(), (ns, stream, at, isAuto, isUnique) => {
        const startAt = new Date(Math.floor(at.getTime() / 1000) * 1000);
        const stamp = startAt.toISOString().replaceAll(/[-:]|\.000Z/g, '');
        const kind = isAuto ? 'auto' : 'demand';
        const name = `${ns}_${stream}${isUnique ? '-1794732333' : ''}-${kind}-${stamp}.flv`;
        const parsed = parseRecordedFile(name);
        expect(parsed).toMatchObject({ nsId: ns, recordType: isAuto ? 1 : 2, startAt });
        // One that itself ends like the engine's addition is read without it: both are of the same namespace.
        if (!/-\d{10}$/.test(stream)) expect(parsed?.streamId).toBe(stream);
      }),
    );
  });

  test.each([
    'x.flv',
    'abcdefghijkl_s-auto-20261115T080000.tmp',
    '../abcdefghijkl_s-auto-20261115T080000.flv',
  ])('of files that are no recordings are left alone: %j', (name) => {
    expect(parseRecordedFile(name)).toBeUndefined();
  });

  test('of namespaces are made as they are read', () => {
    for (let count = 0; count < 100; count++) expect(isNamespaceId(newLiveId())).toBe(true);
  });

  test('of kept files follow their pattern, which must tell streams and moments apart', () => {
    const facts = { namespaceId: 'n', streamId: 's', startMs: 1, endMs: 2 };
    const [stream, start] = [`\${streamId}`, `\${startMs}`];
    expect(fileName(`a/\${namespaceId}/${stream}/${start}-\${endMs}.mp4`, facts)).toBe('a/n/s/1-2.mp4');
    const check = (pattern: string) => () => checkPattern('f', pattern, ['streamId', 'startMs']);
    expect(check(`${stream}/${start}.mp4`)).not.toThrow();
    for (const pattern of [`${stream}.mp4`, start, `${stream}${start}\${other}`, `${stream}${start}$x`])
      expect(check(pattern)).toThrow(Fault);
  });

  test('of callbacks may lack their scheme', () => {
    expect(callbackUrl('1.2.3.4:8888/callback')).toBe('http://1.2.3.4:8888/callback');
    expect(callbackUrl('https://example.com/a')).toBe('https://example.com/a');
  });
});
