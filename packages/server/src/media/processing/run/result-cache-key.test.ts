import { encodeBase64Text, type Fop, parseFops } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { resultCacheKey } from './result-cache-key.ts';

const SOURCE = { hash: 'FoTp5kMjYjnhaBvkNH_8uHezgHtQ', fsize: 2000n };

function work(command: string, source = SOURCE) {
  const [fop] = parseFops(command) as [Fop];
  const { digest, isReusable } = resultCacheKey(fop, source);
  return { digest: digest.toString('hex'), isReusable };
}

const url = encodeBase64Text('http://pond.example/a.png');
const saveas = (key: string) => `saveas/${encodeBase64Text(`b:${key}`)}`;

describe('the same work', () => {
  test.each([
    ['imageView2/2/w/90/h/80', 'imageView2/2/h/80/w/90'],
    [`imageView2/2/w/90|${saveas('one')}`, `imageView2/2/w/90|${saveas('two')}`],
    ['avthumb/mp4/vb/1m/ar/44100', 'avthumb/mp4/ar/44100/vb/1000k'],
  ])('%s is %s', (one, other) => {
    expect(work(one)).toEqual(work(other));
    expect(work(one).isReusable).toBe(true);
  });

  test('is of one content', () => {
    const { digest } = work('imageInfo');
    expect(work('imageInfo', { ...SOURCE, hash: 'other' }).digest).not.toBe(digest);
    expect(work('imageInfo', { ...SOURCE, fsize: 2001n }).digest).not.toBe(digest);
    expect(work('imageAve').digest).not.toBe(digest);
  });
});

test('what engines of before made is not the same work', () => {
  // The digest in generation 1.
  const before = 'dcd4de835720fa28b877d99162b879e826bb638405336b0f010df9a9e1ae0fbf';
  expect(work('imageInfo').digest).not.toBe(before);
});

describe('work whose result does not follow from source and command alone', () => {
  const samples = `vsample/jpg/ss/0/t/2/pattern/${encodeBase64Text('$(count).jpg')}`;
  test.each([
    'avthumb/m3u8',
    samples,
    `watermark/1/image/${url}`,
    `avconcat/2/format/mp4/${url}`,
    `concat/mimeType/${encodeBase64Text('text/plain')}/${url}`,
    `mkzip/2/url/${url}`,
    'mkzip/4',
  ])('%s is the same only under the same name', (command) => {
    const one = work(`${command}|${saveas('one')}`);
    expect(one.isReusable).toBe(false);
    expect(one).toEqual(work(`${command}|${saveas('one')}`));
    expect(one.digest).not.toBe(work(`${command}|${saveas('two')}`).digest);
  });
});
