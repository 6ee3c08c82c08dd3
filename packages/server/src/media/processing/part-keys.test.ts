/** Keys that are made from the key of a result. */
import { encodeBase64Text, type Fop, parseFops } from '@millpond/protocol';
import { expect, test } from 'vitest';
import type { Buckets } from '../../storage/buckets/index.ts';
import { checkPartKeys } from './part-keys.ts';
import { targetOf } from './processing.target.ts';
import type { TaskRow } from './task.ts';

const fopOf = (text: string) => parseFops(text)[0] as Fop;
const pattern = (text: string) => `pattern/${encodeBase64Text(text)}`;
const tooLong = (most: number) =>
  expect.objectContaining({
    fault: 'invalidArgument',
    hint: `the key of a playlist like this may have at most ${most} bytes: those of its segments are longer`,
  });

test.each([
  ['avthumb/m3u8', 740],
  ['avthumb/m3u8/segmentType/fmp4', 739],
  // The pattern names the segments, but not what stands before the first.
  [`avthumb/m3u8/segmentType/fmp4/${pattern('parts/$(count)')}`, 739],
  [`avthumb/m3u8/${pattern(`${'p'.repeat(742)}$(count)`)}`, 750],
  [`vsample/jpg/ss/0/t/1/${pattern('parts/$(count)')}`, 750],
  ['avthumb/mp4', 750],
])('%s leaves room for the keys of its parts beside one of %d bytes', (command, most) => {
  const fop = fopOf(command);
  checkPartKeys(fop, 'é'.repeat(most / 2).padEnd(most - Math.floor(most / 2), 'k'));
  if (most < 750) expect(() => checkPartKeys(fop, 'k'.repeat(most + 1))).toThrow(tooLong(most));
});

test('none of the parts has the key of the result itself', () => {
  const fop = fopOf(`vsample/jpg/ss/0/t/1/${pattern('a/$(count).jpg')}`);
  for (const key of ['a/.jpg', 'a/00001.jpg', 'a/000001.jpgs', 'b/000001.jpg', 'a/00000x.jpg'])
    checkPartKeys(fop, key);
  expect(() => checkPartKeys(fop, 'a/000001.jpg')).toThrow(
    'the pattern gives one of the parts the key of the result',
  );
});

test('a name that follows from the source is judged before anything is made', async () => {
  const buckets = { owned: async () => ({}) } as unknown as Buckets;
  const saveas = `saveas/${encodeBase64Text('b')}/savePattern/${encodeBase64Text('$(key)$(ext)')}`;
  const named = (command: string, key: string) =>
    targetOf(fopOf(`${command}|${saveas}`), { input_key: key, fsize: 1n } as TaskRow, buckets);
  expect((await named('avthumb/m3u8', 'k'.repeat(740))).key).toHaveLength(740);
  await expect(named('avthumb/m3u8', 'k'.repeat(741))).rejects.toEqual(tooLong(740));
  expect((await named('avthumb/mp4', 'k'.repeat(750))).key).toHaveLength(750);
  const withEnding = named('avthumb/mp4', `${'k'.repeat(743)}.mp4`.padEnd(750, 'x'));
  await expect(withEnding).rejects.toMatchObject({
    hint: 'the name of a result is not a valid key: at most 750 bytes, without NUL',
  });
});
