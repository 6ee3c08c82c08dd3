/** What commands keep of a film that nobody spoke of, and what they say where they cannot. */
import { createDecipheriv, randomBytes } from 'node:crypto';
import { encodeBase64, encodeBase64Text } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import {
  ended,
  film,
  type Item,
  image,
  probed,
  processed,
  put,
  saveas,
  submitted,
} from '../support/objects/processing.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { download, newBucket, target } from '../support/target.ts';

const cli = useCommandLine();
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  const whole = await film(4);
  await put(bucket, 'film', whole);
  await put(bucket, 'cut', whole.subarray(0, Math.floor(whole.length * 0.6)));
});

const bytesOf = async (key: string) => Buffer.from(await (await download(bucket, key)).arrayBuffer());

/** The only item of a task on one of the sources. */
async function itemOf(key: string, command: string): Promise<Item & { readonly id: string }> {
  const id = await submitted({ bucket, key, fops: command, force: '1' });
  const [item] = (await ended(id)).items;
  if (item === undefined) throw new Error('no item');
  return { ...item, id };
}

test('all tracks that the format holds are kept with their languages, and what is left out is said [command-17 command-19]', async () => {
  const kept = await itemOf('film', `avthumb/mp4/s/80x|${saveas(bucket, 'small.mp4')}`);
  expect(kept).toMatchObject({ code: 0 });
  expect(kept).not.toHaveProperty('warnings');
  const { streams, format } = await probed(await bytesOf('small.mp4'));
  expect(streams.map(({ codec_name, tags }) => [codec_name, tags?.language])).toEqual([
    ['h264', 'und'],
    ['aac', 'eng'],
    ['aac', 'deu'],
    ['mov_text', 'und'],
  ]);
  expect(format.tags).toMatchObject({ title: 'Mill' });
  expect(format.tags).not.toHaveProperty('location');
  const all = await itemOf('film', `avthumb/mp4/s/80x/stripmeta/0|${saveas(bucket, 'all.mp4')}`);
  expect((await probed(await bytesOf(all.key ?? ''))).format.tags).toHaveProperty('location');

  const command = `avthumb/flv/s/80x|${saveas(bucket, 'small.flv')}`;
  const warnings = [
    '1 of 2 sound tracks is left out: flv cannot hold more of them',
    '1 of 1 subtitle tracks is left out: flv holds none',
  ];
  const lacking = await itemOf('film', command);
  expect(lacking).toMatchObject({ code: 0, warnings });
  expect((await cli.run(['task', 'show', lacking.id])).stdout).toContain(
    `warnings about the result of item 0:\n${warnings.join('\n')}\n`,
  );
  // The same work under another name is a copy of the result, which lacks the same.
  const again = { bucket, key: 'film', fops: `avthumb/flv/s/80x|${saveas(bucket, 'again.flv')}` };
  expect(await processed(again)).toMatchObject({ warnings });
});

test('a source that is cut says where, or gives what there is of it [command-18 command-21]', async () => {
  const failed = await itemOf('cut', 'avthumb/mp4/s/80x');
  const sentence = /the source ends after \d\.\d\d of 4\.\d\d s$/;
  expect(failed).toMatchObject({ code: 3, error: expect.stringMatching(sentence) });
  const kept = await itemOf('cut', `avthumb/mp4/s/80x/ignore-error/1|${saveas(bucket, 'part.mp4')}`);
  expect(kept).toMatchObject({ code: 0, warnings: [expect.stringMatching(sentence)] });
  expect(Number((await probed(await bytesOf('part.mp4'))).format.duration)).toBeLessThan(3);
});

test('an error is a sentence of ours, whatever the engine said [command-21]', async () => {
  await put(bucket, 'noise', Buffer.from('no film at all'));
  const image = await itemOf('noise', 'imageView2/2/w/9');
  expect(image.error).toBe(
    'execute fop cmd failed: the image cannot be read: it is damaged, or no image of a kind that can be read here',
  );
  const video = await itemOf('noise', 'avthumb/mp4');
  expect(video.error).toBe(
    'execute fop cmd failed: the source is damaged, or no video or recording that can be read here',
  );
  expect((await cli.json(['task', 'show', video.id]))[0]).toMatchObject({
    items: [{ words: expect.stringMatching(/./) }],
  });
});

test('each segment is encrypted with its own number, if no vector is given [command-20]', async () => {
  const key = randomBytes(16);
  const url = encodeBase64Text('http://pond.example/key');
  const command = `avthumb/m3u8/segtime/2/hlsKey/${encodeBase64(key)}/hlsKeyUrl/${url}`;
  const { keys = [] } = await processed({
    bucket,
    key: 'film',
    fops: `${command}|${saveas(bucket, 'locked.m3u8')}`,
  });
  const playlist = (await bytesOf('locked.m3u8')).toString();
  expect(playlist).toContain('#EXT-X-KEY:METHOD=AES-128,URI="http://pond.example/key"\n');
  expect(keys).toHaveLength(3);
  for (const [number, name] of keys.slice(1).entries()) {
    const vector = Buffer.alloc(16);
    vector.writeUInt8(number, 15);
    const decipher = createDecipheriv('aes-128-cbc', key, vector);
    const plain = Buffer.concat([decipher.update(await bytesOf(name)), decipher.final()]);
    expect(plain.toString('hex', 0, 16)).toMatch(/^4740111[0-9a-f]0042f0..0001c10000ff01ff$/);
  }
});

/** What cameras write: Exif with an artist, and the latitude of 48° 51' north. */
function exifOfCamera(): Buffer {
  const entry = (tag: number, type: number, count: number, value: string) =>
    `${hex(tag, 2)}${hex(type, 2)}${hex(count, 4)}${value.padEnd(8, '0')}`;
  const artist = Buffer.from('Miller\0').toString('hex');
  // 8 bytes of head, 30 of the first directory, then the artist, the place, and its numbers.
  const [artistAt, placeAt, numbersAt] = [38, 46, 76];
  const main = `0002${entry(0x013b, 2, 7, hex(artistAt, 4))}${entry(0x8825, 4, 1, hex(placeAt, 4))}00000000`;
  const north = entry(1, 2, 2, Buffer.from('N\0').toString('hex'));
  const place = `0002${north}${entry(2, 5, 3, hex(numbersAt, 4))}00000000`;
  const numbers = [48, 51, 0].map((value) => `${hex(value, 4)}${hex(1, 4)}`).join('');
  const tiff = Buffer.from(`4d4d002a00000008${main}${artist}00${place}${numbers}`, 'hex');
  const block = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  return Buffer.concat([Buffer.from(`ffe1${hex(block.length + 2, 2)}`, 'hex'), block]);
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}

test('an image does not say where it was taken, and AVIF is the smallest where nobody chose a quality [command-19 command-22]', async () => {
  const jpeg = await image('400x300', 'jpg');
  const placed = Buffer.concat([jpeg.subarray(0, 2), exifOfCamera(), jpeg.subarray(2)]);
  await put(bucket, 'photo', placed as Buffer<ArrayBuffer>);
  const answer = (commands: string) => fetch(`${target.url}/${bucket}/photo?${commands}`);
  expect(await (await answer('exif')).json()).toMatchObject({ GPSLatitude: { type: 5 } });
  const left = (await (await answer('imageMogr2/thumbnail/!50p|exif')).json()) as object;
  expect(left).toMatchObject({ Artist: { val: 'Miller' } });
  expect(Object.keys(left).filter((tag) => tag.startsWith('GPS'))).toEqual([]);
  const bytesAs = async (format: string) =>
    (await (await answer(`imageView2/2/w/300/format/${format}`)).bytes()).length;
  expect(await bytesAs('avif')).toBeLessThan(await bytesAs('webp'));
  expect(await bytesAs('avif/q/75')).toBeGreaterThan(await bytesAs('avif'));
});
