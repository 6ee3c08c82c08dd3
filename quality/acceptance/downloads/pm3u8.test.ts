/** pm3u8: a playlist of a private bucket whose URIs are signed, so that a player that knows one URL plays all of it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  encodeBase64,
  encodeBase64Text,
  FORM_TYPE,
  signDownloadUrl,
  splitDownloadToken,
} from '@millpond/protocol';
import { type Account, hashing } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { expectRefusalOf } from '../support/expectations.ts';
import { bucketDo, form } from '../support/objects/buckets.ts';
import { pfop, processed, put, saveas, video } from '../support/objects/processing.ts';
import { rawFetch } from '../support/raw.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const run = promisify(execFile);
const cli = useCommandLine();
const now = () => Math.floor(Date.now() / 1000);
const END = now() + 3600;
let bucket: string;
let other: string;

const setPrivate = (name: string, isPrivate: 0 | 1) =>
  bucketDo('/private', { body: form({ bucket: name, private: isPrivate }), contentType: FORM_TYPE });

beforeAll(async () => {
  [bucket, other] = [await newBucket(), await newBucket()];
  for (const name of [bucket, other]) await setPrivate(name, 1);
  await put(bucket, 'video', await video(['red', 'lime', 'blue', 'white'], '160x90'));
  await put(bucket, 'a.ts', Buffer.from('segment'));
});

interface PlaylistRequest {
  readonly deadline?: number;
  readonly keys?: Pick<Account, 'accessKey' | 'secretKey'>;
  /** Scheme, host and what stands before the key. */
  readonly base?: string;
}

/** A signed URL with this command. */
function signed(key: string, command = 'pm3u8/0', options: PlaylistRequest = {}): string {
  const { deadline = END, keys = target.account, base = `${target.url}/${bucket}` } = options;
  const url = `${base}/${key.split('/').map(encodeURIComponent).join('/')}${command === '' ? '' : `?${command}`}`;
  return signDownloadUrl(hashing, keys, url, deadline);
}

/** The raw target of a URL. */
const targetOf = (url: string) => url.slice(new URL(url).origin.length);
const get = (url: string, more: Partial<Parameters<typeof rawFetch>[0]> = {}) =>
  rawFetch({ target: targetOf(url), ...more });

const deadlineOf = (url: string) => splitDownloadToken(targetOf(url))?.candidates[0].deadline ?? 0;

/** URIs of the playlist at a URL, as a browser resolves them. */
async function urisAt(url: string): Promise<string[]> {
  const answer = await get(url);
  expect(answer.status, answer.text()).toBe(200);
  return answer
    .text()
    .split(/\r?\n/)
    .map((line) => (line.startsWith('#') ? /URI="([^"]*)"/.exec(line)?.[1] : line.trim()))
    .filter((uri) => uri !== undefined && uri !== '')
    .map((uri) => new URL(uri ?? '', url).href);
}

const putList = (key: string, lines: readonly string[], end = '\n') =>
  put(bucket, key, Buffer.from(['#EXTM3U', ...lines].join(end)));

/** What ffmpeg plays of a URL: frames that it decoded, and whether it complained. */
async function played(url: string): Promise<{ frames: number; complaints: string }> {
  const { stdout, stderr } = await run('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=nb_read_frames',
    '-of',
    'csv=p=0',
    url,
  ]);
  return { frames: Number.parseInt(stdout, 10), complaints: stderr };
}

describe('a video that was cut into segments plays from a private bucket by one signed URL', () => {
  const key = randomBytes(16);
  const keyUrl = () => encodeBase64Text(`${target.url}/${bucket}/keys/video.key`);
  test.each([
    ['as MPEG-TS', () => ''],
    ['as fragments of MP4', () => '/segmentType/fmp4'],
    ['with a key that is an object, too', () => `/hlsKey/${encodeBase64(key)}/hlsKeyUrl/${keyUrl()}`],
    ['elsewhere in the bucket', () => `/pattern/${encodeBase64Text("ü 'x'/$(count).ts")}`],
  ])('%s [pm3u8-01]', async (name, parameters) => {
    await put(bucket, 'keys/video.key', key as Buffer<ArrayBuffer>);
    const list = `lists/${name}.m3u8`;
    const command = `avthumb/m3u8/segtime/2${parameters()}`;
    await processed({ bucket, key: 'video', fops: `${command}|${saveas(bucket, list)}` });
    await expect(played(signed(list, ''))).rejects.toThrow(/401|loading first segment/);
    expect(await played(signed(list))).toEqual({ frames: 40, complaints: '' });
    // As a browser's player asks: each URI, resolved against the playlist's.
    for (const uri of await urisAt(signed(list))) expect((await fetch(uri)).status, uri).toBe(200);
  });

  test('that the library or the command line made [pm3u8-09]', async () => {
    await processed({
      bucket,
      key: 'video',
      fops: `avthumb/m3u8/segtime/2|${saveas(bucket, 'made/ü.m3u8')}`,
    });
    const client = sdkClient();
    const urls = [
      client.downloadUrl(bucket, 'made/ü.m3u8', { playlist: true }),
      client.downloadUrl(bucket, 'made/ü.m3u8', { playlist: { expires: 600, prefix: 'made/' } }),
      (await cli.run(['url', `:${bucket}/made/ü.m3u8`, '--playlist'])).stdout.trim(),
    ];
    for (const url of urls) expect(await played(url), url).toEqual({ frames: 40, complaints: '' });
  });

  test('through a playlist of playlists, with a rendition of its own for the sound [pm3u8-02]', async () => {
    const cut = 'avthumb/m3u8/segtime/2';
    const fops = [
      `${cut}/an/1|${saveas(bucket, 'all/high/v.m3u8')}`,
      `${cut}/vn/1|${saveas(bucket, 'all/sound')}`,
    ];
    for (const each of fops) await processed({ bucket, key: 'video', fops: each });
    await putList('all/master.m3u8', [
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="x",DEFAULT=YES,URI="sound"',
      '#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42c00b,mp4a.40.2",AUDIO="s"',
      'high/v.m3u8?v=1',
    ]);
    const url = signed('all/master.m3u8');
    expect(await played(url)).toEqual({ frames: 40, complaints: '' });
    const nested = await urisAt(url);
    for (const uri of nested) {
      expect(deadlineOf(uri)).toBe(END);
      for (const segment of await urisAt(uri)) expect(deadlineOf(segment)).toBe(END);
    }
    expect(nested[1]).toMatch(new RegExp(`/high/v\\.m3u8\\?pm3u8/0/deadline/${END}&v=1&e=${END}&token=`));
  });
});

describe('URIs', () => {
  test('of the bucket are signed by the key of the request; of other buckets and hosts they stay [pm3u8-03]', async () => {
    const foreign = [
      `../${other}/secret.ts`,
      `${target.url}/${other}/secret.ts`,
      `http://${other}.dl.example.test/secret.ts`,
      'https://elsewhere.example/a.ts',
      'data:text/plain,x',
    ];
    const own = [
      'a.ts',
      `${target.url}/${bucket}/a.ts?v=1`,
      `http://${bucket}.dl.example.test/a.ts`,
      `/${bucket}/a.ts`,
    ];
    await putList('mixed.m3u8', [
      `#EXT-X-KEY:METHOD=AES-128,URI="${foreign[3]}"`,
      '#EXT-X-MAP:URI="a.ts"',
      ...foreign,
      ...own,
    ]);
    const answer = await get(signed('mixed.m3u8'));
    const lines = answer.text().split('\n');
    expect(lines.slice(0, 2)).toEqual(['#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${foreign[3]}"`]);
    expect(lines.slice(3, 3 + foreign.length)).toEqual(foreign);
    const uris = [...(/URI="(.*)"/.exec(lines[2] ?? '')?.slice(1) ?? []), ...lines.slice(3 + foreign.length)];
    for (const uri of uris) {
      const url = new URL(uri, `${target.url}/${bucket}/mixed.m3u8`);
      const segment = await rawFetch({ target: url.pathname + url.search, host: url.host });
      expect([segment.status, segment.text()], uri).toEqual([200, 'segment']);
    }

    const account = target.account;
    const made = await operate(['key', 'create', account.email, '--kind', 'user', '--json']);
    const second = JSON.parse(made) as Account;
    const [uri = ''] = await urisAt(signed('mixed.m3u8', 'pm3u8/0', { keys: second })).then((all) =>
      all.slice(1),
    );
    expect(uri).toContain(`token=${second.accessKey}:`);
    for (const act of ['disable', 'delete']) await operate(['key', act, second.accessKey]);
  });

  test('outside of the prefix stay as they are, in nested playlists, too [pm3u8-04]', async () => {
    await putList('user/7/outer.m3u8', [
      '../8/secret.ts',
      'own.ts',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      'inner.m3u8',
    ]);
    await putList('user/7/inner.m3u8', ['/videos/x.ts', '../8/secret.ts', 'own.ts']);
    const url = signed('user/7/outer.m3u8', `pm3u8/0/prefix/${encodeBase64Text('user/7/')}`);
    const isSigned = (uri: string) => splitDownloadToken(targetOf(uri)) !== undefined;
    const outer = await urisAt(url);
    expect(outer.map(isSigned)).toEqual([false, true, true]);
    expect((await urisAt(outer[2] ?? '')).map(isSigned)).toEqual([false, false, true]);
  });

  test('are good until the end of the URL, or as it says itself [pm3u8-05]', async () => {
    await putList('ends.m3u8', ['a.ts']);
    const endOf = async (command: string, deadline = END) => {
      const [uri = ''] = await urisAt(signed('ends.m3u8', command, { deadline }));
      return deadlineOf(uri);
    };
    expect(await endOf('pm3u8/0', END + 5)).toBe(END + 5);
    expect(await endOf(`pm3u8/0/deadline/${END + 86_400}`)).toBe(END + 86_400);
    expect(await endOf(`pm3u8/0/expires/60/deadline/${END + 7}`)).toBe(END + 7);
    const [before, end, after] = [now(), await endOf('pm3u8/0/expires/600'), now()];
    expect(end - 600).toBeGreaterThanOrEqual(before);
    expect(end - 600).toBeLessThanOrEqual(after);
    expect(await endOf('pm3u8/0', 99_999_999_999_999)).toBe(9_999_999_999);
    expectRefusalOf(await get(signed('ends.m3u8', `pm3u8/0/deadline/${now() - 1}`)), 401, 'expired token');
    expectRefusalOf(await get(signed('ends.m3u8', 'pm3u8/0', { deadline: now() - 1 })), 401, 'expired token');
  });

  test('keep line ends, spaces and everything else of the playlist [pm3u8-03]', async () => {
    await putList(
      'crlf.m3u8',
      ['#EXTINF:2.0,a, title', ' a.ts ', '', '# a comment', '#EXT-X-ENDLIST', ''],
      '\r\n',
    );
    const answer = await get(signed('crlf.m3u8'));
    expect(answer.text().replace(/\?e=\d+&token=[\w:=-]+/, '')).toBe(
      '#EXTM3U\r\n#EXTINF:2.0,a, title\r\n a.ts \r\n\r\n# a comment\r\n#EXT-X-ENDLIST\r\n',
    );
  });
});

describe('who may ask:', () => {
  beforeAll(() => putList('asked.m3u8', ['a.ts']));

  test('whoever has a URL that the owner signed with the command in it [pm3u8-06]', async () => {
    const path = `/${bucket}/asked.m3u8`;
    expectRefusalOf(await rawFetch({ target: `${path}?pm3u8/0` }), 401, 'token not specified');
    const strangers = signed('asked.m3u8', 'pm3u8/0', { keys: target.stranger });
    expectRefusalOf(await get(strangers), 401, 'bad token');
    const plain = targetOf(signed('asked.m3u8', ''));
    expectRefusalOf(await rawFetch({ target: plain.replace('?', '?pm3u8/0&') }), 401, 'bad token');
    const changed = signed('asked.m3u8', 'pm3u8/0/expires/60').replace('expires/60', 'expires/600000');
    expectRefusalOf(await get(changed), 401, 'bad token');
  });

  test('and nobody adds the command behind the token, or asks for more than was signed [pm3u8-06]', async () => {
    for (const behind of ['pm3u8/0', 'pm3u8/0/expires/600000', 'x=1']) {
      const plain = await get(`${signed('asked.m3u8', '')}&${behind}`);
      expect([plain.status, plain.text()], behind).toEqual([200, '#EXTM3U\na.ts']);
    }
    const end = now() + 60;
    const [uri = ''] = await urisAt(
      `${signed('asked.m3u8', 'pm3u8/0', { deadline: end })}&e=${END}&pm3u8/0/deadline/${END}`,
    );
    expect(deadlineOf(uri)).toBe(end);
  });

  test('of a public bucket as well: there is no key to sign with otherwise [pm3u8-06]', async () => {
    const open = await newBucket();
    await put(open, 'list.m3u8', Buffer.from('#EXTM3U\na.ts\n'));
    expectRefusalOf(await rawFetch({ target: `/${open}/list.m3u8?pm3u8/0` }), 401, 'token not specified');
    const [uri = ''] = await urisAt(signed('list.m3u8', 'pm3u8/0', { base: `${target.url}/${open}` }));
    expect(uri).toContain('&token=');
  });
});

describe('the answer', () => {
  beforeAll(() => putList('answer.m3u8', ['a.ts']));

  test('is a playlist for nobody’s cache, without conditions and ranges [pm3u8-07]', async () => {
    const headers = [
      ['If-None-Match', '*'],
      ['Range', 'bytes=0-3'],
    ] as const;
    const answer = await get(signed('answer.m3u8', 'pm3u8/0&attname=x.m3u8'), { headers });
    expect([answer.status, answer.text().slice(0, 7)]).toEqual([200, '#EXTM3U']);
    expect(answer.header('content-type')).toBe('application/vnd.apple.mpegurl');
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.header('content-disposition')).toBe('attachment; filename="x.m3u8"');
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range'])
      expect(answer.header(name)).toBeUndefined();
    const head = await get(signed('answer.m3u8'), { method: 'HEAD' });
    expect([head.status, head.body.length, head.header('content-type')]).toEqual([
      200,
      0,
      'application/vnd.apple.mpegurl',
    ]);
    expect(head.header('content-length')).toBe(String((await get(signed('answer.m3u8'))).body.length));
  });

  test('may be read by the pages that the bucket’s rules name, and so may what it leads to [pm3u8-07]', async () => {
    const origin = 'https://player.example.com';
    const rules = [{ allowed_origin: [origin], allowed_method: ['GET'], allowed_header: ['*'] }];
    await bucketDo(`/corsRules/set/${bucket}`, { body: JSON.stringify(rules) });
    const headers = [['Origin', origin]] as const;
    const url = signed('answer.m3u8');
    await expect
      .poll(async () => (await get(url, { headers })).header('access-control-allow-origin'), {
        timeout: 300_000,
      })
      .toBe(origin);
    const [uri = ''] = await urisAt(url);
    expect((await get(uri, { headers })).header('access-control-allow-origin')).toBe(origin);
  });

  test('is 400 where the object is no playlist, or one beyond the limits, or the command is wrong [pm3u8-08]', async () => {
    await put(bucket, 'image.m3u8', Buffer.from([0xff, 0xd8, 0xff]));
    await put(bucket, 'page.m3u8', Buffer.from('<html>#EXTM3U'));
    await put(bucket, 'large.m3u8', Buffer.from(`#EXTM3U\n${'#\n'.repeat(2 * 1024 * 1024)}`));
    await put(bucket, 'many.m3u8', Buffer.from(`#EXTM3U\n${'a\n'.repeat(50_001)}`));
    for (const key of ['image.m3u8', 'page.m3u8', 'large.m3u8', 'many.m3u8'])
      expectRefusalOf(await get(signed(key)), 400, 'execute fop cmd failed');
    await put(bucket, 'most.m3u8', Buffer.from(`#EXTM3U\n${'a\n'.repeat(50_000)}`));
    expect(await urisAt(signed('most.m3u8'))).toHaveLength(50_000);
    for (const command of ['pm3u8', 'pm3u8/1', 'pm3u8/0/expires/x', 'pm3u8/0|imageInfo'])
      expectRefusalOf(await get(signed('answer.m3u8', command)), 400, 'invalid argument');
    expectRefusalOf(await get(signed('missing.m3u8')), 404, 'not found');
    const submitted = await pfop({ bucket, key: 'answer.m3u8', fops: 'pm3u8/0' });
    expectRefusalOf(submitted, 400, 'unsupported command');
  });

  test('is the same at a host that names the bucket [pm3u8-03]', async () => {
    const base = `http://${bucket}.dl.example.test`;
    const url = signed('answer.m3u8', 'pm3u8/0', { base });
    const { host } = new URL(base);
    const answer = await get(url, { host });
    expect(answer.status).toBe(200);
    const uri = answer.text().split('\n')[1] ?? '';
    const segment = await rawFetch({ target: `/${uri}`, host });
    expect([segment.status, segment.text()]).toEqual([200, 'segment']);
  });
});
