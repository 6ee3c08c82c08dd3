/** Commands on videos, each shown by decoding what it stored. */
import { readFile } from 'node:fs/promises';
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import { pixelsOf } from '../support/objects/images.ts';
import {
  ended,
  type Item,
  probed,
  processed,
  put,
  saveas,
  submitted,
  video,
} from '../support/objects/processing.ts';
import { download, newBucket, target } from '../support/target.ts';

let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'video', await video(['red', 'lime', 'blue', 'white'], '160x90'));
});

const bytesOf = async (key: string) => Buffer.from(await (await download(bucket, key)).arrayBuffer());
const readPage = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const seconds = (probe: Awaited<ReturnType<typeof probed>>) => Number(probe.format.duration);

/** The result of one command on the video, stored under this key. */
async function run(command: string, key: string): Promise<Item & { key: string }> {
  return processed({ bucket, key: 'video', fops: `${command}|${saveas(bucket, key)}` });
}

/** Each of red, green and blue as none, half or all: what an encoder does to a colour is less than that. */
async function shown(bytes: Buffer, x = 20, y = 20): Promise<string> {
  const color = (await pixelsOf(bytes)).at(x, y);
  const channels = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return channels.map((value) => (value < 64 ? 0 : value < 192 ? 1 : 2)).join('');
}
const [RED, LIME, BLUE] = ['200', '020', '002'];

test('avthumb gives the format, codecs, size and rates asked for [command-01]', async () => {
  const video = 'avthumb/mp4/s/80x60/vcodec/libx264/r/5/ss/1/t/2/acodec/libfaac/ar/22050/ac/1';
  const fops = `${video}|${saveas(bucket, 'small.mp4')};avthumb/mp3/ar/44100|${saveas(bucket, 'sound.mp3')}`;
  expect(await ended(await submitted({ bucket, key: 'video', fops }))).toMatchObject({ code: 0 });
  const small = await probed(await bytesOf('small.mp4'));
  expect(small.streams).toMatchObject([
    { codec_type: 'video', codec_name: 'h264', width: 80, height: 60, r_frame_rate: '5/1' },
    { codec_type: 'audio', codec_name: 'aac', sample_rate: '22050', channels: 1 },
  ]);
  expect(small.format.format_name).toContain('mp4');
  expect(seconds(small)).toBeCloseTo(2, 0);
  const sound = await probed(await bytesOf('sound.mp3'));
  expect(sound.streams).toMatchObject([{ codec_name: 'mp3', sample_rate: '44100' }]);
});

test('avthumb/m3u8 gives a playlist and segments that play, stored before it [command-02]', async () => {
  const item = await run('avthumb/m3u8/segtime/2/noDomain/1', 'lists/video.m3u8');
  const playlist = (await bytesOf('lists/video.m3u8')).toString();
  const names = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(names).toHaveLength(2);
  expect(playlist).toContain('#EXT-X-ENDLIST');
  const keys = names.map((name) => decodeURIComponent(new URL(name, 'http://x/lists/').pathname.slice(1)));
  expect(item.keys).toEqual([item.key, ...keys]);
  const segments = await Promise.all(keys.map(bytesOf));
  expect(await Promise.all(segments.map((bytes) => shown(bytes)))).toEqual([RED, BLUE]);
  const whole = await probed(Buffer.concat(segments));
  expect(whole.streams.map((stream) => stream.codec_name).toSorted()).toEqual(['aac', 'h264']);
  const made = await recordOf(bucket, item.key);
  for (const key of keys) expect((await recordOf(bucket, key)).putTime).toBeLessThan(made.putTime);
});

test('vframe gives the frame at its offset, in its size [command-03]', async () => {
  await run('vframe/jpg/offset/1.5/w/80', 'frame.jpg');
  const frame = await bytesOf('frame.jpg');
  expect((await pixelsOf(frame)).size).toBe('80x45');
  expect(await shown(frame)).toBe(LIME);
});

test('vsample gives images at its interval, named by its pattern [command-04]', async () => {
  const pattern = encodeBase64Text('samples/$(count).jpg');
  const { keys } = await run(`vsample/jpg/ss/0.5/t/3/interval/1/s/80x/pattern/${pattern}`, 'samples');
  expect(keys).toEqual(['samples', ...[1, 2, 3].map((count) => `samples/00000${count}.jpg`)]);
  const images = await Promise.all((keys ?? []).slice(1).map(bytesOf));
  expect(await Promise.all(images.map((bytes) => shown(bytes)))).toEqual([RED, LIME, BLUE]);
});

test('the result of vsample is what its page shows: the keys of the images [command-15]', async () => {
  const pattern = encodeBase64Text('listed/$(count).jpg');
  await run(`vsample/jpg/ss/0/t/2/interval/1/s/80x/pattern/${pattern}`, 'listed');
  expect(JSON.parse((await bytesOf('listed')).toString())).toEqual({
    keys: ['listed/000001.jpg', 'listed/000002.jpg'],
  });
  for (const page of ['processing-commands.md', 'reference/processing-commands.md'])
    expect(await readPage(page)).toContain('`{"keys": […]}`');
});

test('a playlist names its segments relatively, whatever noDomain says, and its page says so [command-16]', async () => {
  for (const noDomain of ['', '/noDomain/0', '/noDomain/1']) {
    await run(`avthumb/m3u8/segtime/2${noDomain}`, `relative${noDomain}.m3u8`);
    const playlist = (await bytesOf(`relative${noDomain}.m3u8`)).toString();
    const names = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(names.map((name) => /^(?:[a-z]+:|\/)/.test(name))).toEqual([false, false]);
  }
  expect(await readPage('reference/processing-commands.md')).toMatch(
    /^\| `noDomain` \|.*always names its segments by relative URIs/m,
  );
});

test('avconcat joins its sources in order: as long as all of them [command-05]', async () => {
  await put(bucket, 'other', await video(['blue', 'red'], '80x60'));
  const other = encodeBase64Text(`${target.url}/${bucket}/other`);
  await run(`avconcat/2/format/mp4/${other}`, 'joined.mp4');
  const joined = await bytesOf('joined.mp4');
  expect(seconds(await probed(joined))).toBeCloseTo(6, 0);
  const frames = ['0.5', '4.5', '5.5'].map((offset) => `vframe/jpg/offset/${offset}`);
  const task = await ended(await submitted({ bucket, key: 'joined.mp4', fops: frames.join(';') }));
  const images = await Promise.all(task.items.map((item) => bytesOf(item.key ?? '')));
  // The smaller video stands between bars: its middle tells its colour.
  expect(await Promise.all(images.map((bytes) => shown(bytes, 80, 45)))).toEqual([RED, BLUE, RED]);
});

test('avinfo gives streams and format as JSON [command-06]', async () => {
  await run('avinfo', 'info');
  expect(JSON.parse((await bytesOf('info')).toString())).toMatchObject({
    streams: [
      { codec_type: 'video', codec_name: 'h264', width: 160, height: 90 },
      { codec_type: 'audio', codec_name: 'aac' },
    ],
    format: { nb_streams: 2, format_name: expect.stringContaining('mp4') },
  });
});
