/** Commands on images, each shown by decoding what it stored. */
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { type Pixels, pixelsOf } from '../support/objects/images.ts';
import { ended, halves, put, submitted } from '../support/objects/processing.ts';
import { download, newBucket, target } from '../support/target.ts';

let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await halves('red', 'blue'));
  await put(bucket, 'mark', await halves('lime', 'lime', '40x20'));
});

/** What each command makes of the image. */
async function made(commands: readonly string[], key = 'image'): Promise<Buffer[]> {
  const task = await ended(await submitted({ bucket, key, fops: commands.join(';') }));
  expect(task, JSON.stringify(task.items)).toMatchObject({ code: 0 });
  return Promise.all(
    task.items.map(async (item) => Buffer.from(await (await download(bucket, item.key ?? '')).arrayBuffer())),
  );
}

const images = async (commands: readonly string[]): Promise<Pixels[]> =>
  Promise.all((await made(commands)).map(pixelsOf));
const sizes = async (commands: readonly string[]) => (await images(commands)).map(({ size }) => size);

test('imageView2 gives the size of each mode and never enlarges [command-07]', async () => {
  const expected = {
    'imageView2/0/w/200/h/100': '133x100',
    'imageView2/1/w/200/h/200': '200x200',
    'imageView2/2/w/200/h/100': '133x100',
    'imageView2/3/w/200/h/200': '267x200',
    'imageView2/4/w/200/h/100': '200x150',
    'imageView2/5/w/200/h/100': '200x100',
    'imageView2/2/w/1000': '400x300',
  };
  expect(await sizes(Object.keys(expected))).toEqual(Object.values(expected));
});

test('imageMogr2 does what is written in the order in which it is written [command-08]', async () => {
  expect(
    await sizes([
      'imageMogr2/crop/100x100/thumbnail/50x',
      'imageMogr2/thumbnail/50x/crop/100x100',
      'imageMogr2/rotate/90',
    ]),
  ).toEqual(['50x50', '50x38', '300x400']);
  const [cut, turned, blurred] = await images([
    'imageMogr2/gravity/East/crop/100x100',
    'imageMogr2/rotate/90/crop/100x100',
    'imageMogr2/blur/20x20',
  ]);
  expect([cut?.at(50, 50), turned?.at(50, 50)]).toEqual(['0000ff', 'ff0000']);
  // Where the halves meet, either colour has gone into the other.
  expect(blurred?.at(200, 150)).toMatch(/^[6-9a].00[6-9a].$/);
  const [photo, coarse] = await made(['90', '10'].map((q) => `imageMogr2/format/jpg/quality/${q}!`));
  expect([photo, coarse].map((bytes) => bytes?.toString('hex', 0, 3))).toEqual(['ffd8ff', 'ffd8ff']);
  expect(coarse?.length).toBeLessThan(photo?.length ?? 0);
});

test('imageInfo, exif and imageAve give their JSON [command-09]', async () => {
  await put(bucket, 'photo', withMake(await halves('red', 'red', '64x48', 'jpg'), 'Pond'));
  const told = await made(['imageInfo', 'imageAve', 'exif'], 'photo');
  const [info, average, exif] = told.map((bytes) => JSON.parse(bytes.toString()) as Record<string, unknown>);
  expect(info).toMatchObject({ format: 'jpeg', width: 64, height: 48, colorModel: 'ycbcr' });
  expect(average).toEqual({ RGB: expect.stringMatching(/^0xf[c-f]0[0-3]0[0-3]$/) });
  expect(exif).toMatchObject({ Make: { val: 'Pond', type: 2 } });
});

test('watermark 1 to 4 puts its mark where it should be [command-10]', async () => {
  const url = encodeBase64Text(`${target.url}/${bucket}/mark`);
  const text = `text/${encodeBase64Text('██')}/fontsize/600/fill/${encodeBase64Text('lime')}`;
  const near = 'dx/0/dy/0';
  const [image, words, both, tiled] = await images([
    `watermark/1/image/${url}/gravity/NorthWest/${near}`,
    `watermark/2/${text}/gravity/SouthEast/${near}`,
    `watermark/3/image/${url}/gravity/NorthEast/${near}/${text}/gravity/SouthWest/${near}`,
    `watermark/4/${text}`,
  ]);
  const corners = (marked: Pixels | undefined) =>
    [marked?.at(5, 5), marked?.at(395, 5), marked?.at(5, 285), marked?.at(395, 285)].map(
      (color) => color === '00ff00',
    );
  expect(corners(image)).toEqual([true, false, false, false]);
  expect(corners(words)).toEqual([false, false, false, true]);
  expect(corners(both)).toEqual([false, true, true, false]);
  expect([tiled?.has('00ff00', 0, 130), tiled?.has('00ff00', 270, 400)]).toEqual([true, true]);
});

/** The same jpeg with an Exif record that names the camera. */
function withMake(jpeg: Buffer, make: string): Buffer<ArrayBuffer> {
  const value = Buffer.from(`${make}\0`.padEnd(8, '\0'), 'latin1');
  const entry = Buffer.alloc(12);
  entry.writeUInt16BE(0x010f, 0);
  entry.writeUInt16BE(2, 2);
  entry.writeUInt32BE(make.length + 1, 4);
  entry.writeUInt32BE(8 + 2 + 12 + 4, 8);
  const head = Buffer.from('MM\0\x2a\0\0\0\x08\0\x01', 'latin1');
  const record = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), head, entry, Buffer.alloc(4), value]);
  const segment = Buffer.from([0xff, 0xe1, 0, 0]);
  segment.writeUInt16BE(record.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, record, jpeg.subarray(2)]);
}
