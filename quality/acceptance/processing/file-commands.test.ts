/** Commands that take files as they are, and files that mean harm. */
import { createHash } from 'node:crypto';
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { useCanaries } from '../support/canaries.ts';
import { ended, processed, put, submitted } from '../support/objects/processing.ts';
import { entriesOfZip } from '../support/objects/zip.ts';
import { download, newBucket, target } from '../support/target.ts';

const canaries = useCanaries();
const CONTENT = Buffer.from('what the pond holds '.repeat(100));
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'one', CONTENT);
  await put(bucket, 'two', Buffer.from('and more'));
});

const bytesOf = async (key: string) => Buffer.from(await (await download(bucket, key)).arrayBuffer());
const url = (key: string) => encodeBase64Text(`${target.url}/${bucket}/${key}`);

test('qhash gives md5, sha1 or sha256, and the size [command-11]', async () => {
  const algorithms = ['md5', 'sha1', 'sha256'];
  const fops = algorithms.map((algorithm) => `qhash/${algorithm}`).join(';');
  const { items } = await ended(await submitted({ bucket, key: 'one', fops }));
  const found = await Promise.all(items.map(async (item) => (await bytesOf(item.key ?? '')).toString()));
  expect(found.map((text) => JSON.parse(text) as unknown)).toEqual(
    algorithms.map((algorithm) => ({
      hash: createHash(algorithm).update(CONTENT).digest('hex'),
      fsize: CONTENT.length,
    })),
  );
});

test('concat gives the joined file [command-12]', async () => {
  const fops = `concat/mimeType/${encodeBase64Text('text/plain')}/${url('two')}/${url('one')}`;
  const { key } = await processed({ bucket, key: 'one', fops });
  const answer = await download(bucket, key);
  expect(answer.headers.get('content-type')).toBe('text/plain');
  expect(await answer.text()).toBe(`${CONTENT.toString()}and more${CONTENT.toString()}`);
});

test('mkzip gives an archive of its sources, named by its own hash if nothing names it [command-12]', async () => {
  const fops = `mkzip/2/url/${url('one')}/url/${url('two')}/alias/${encodeBase64Text('ordner/zwei')}`;
  const { key, hash } = await processed({ bucket, key: 'one', fops });
  expect(key).toBe(hash);
  expect(entriesOfZip(await bytesOf(key))).toEqual({ one: CONTENT.toString(), 'ordner/zwei': 'and more' });
});

test('a file that means harm reads nothing, calls nobody, and ends as a failed item [command-14]', async () => {
  canaries.reset();
  const address = `http://127.0.0.1:${canaries.port}/x`;
  const hostile = {
    'playlist.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}.ts\n#EXTINF:1,\nfile:///etc/passwd\n`,
    'list.ffconcat': `ffconcat version 1.0\nfile '/etc/passwd'\nfile '${address}'\n`,
    'manifest.mpd': `<MPD><Period><BaseURL>${address}</BaseURL></Period></MPD>`,
    'vector.svg': `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${address}.png"/><image xlink:href="file:///etc/passwd"/></svg>`,
    'session.sdp': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video ${canaries.port} RTP/AVP 96\n`,
  };
  const ids = [];
  for (const [key, text] of Object.entries(hostile)) {
    await put(bucket, key, Buffer.from(text));
    ids.push(await submitted({ bucket, key, fops: 'avthumb/mp4;vframe/jpg/offset/0;imageView2/2/w/10' }));
  }
  for (const id of ids) {
    const { items } = await ended(id);
    expect(items.map((item) => item.code)).toEqual([3, 3, 3]);
    expect(JSON.stringify(items)).not.toContain('root:');
  }
  expect(canaries.connections).toBe(0);
});
