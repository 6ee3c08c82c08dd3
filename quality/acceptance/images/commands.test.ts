/** Commands in the query of a download: each result is decoded. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, colorAt, decoded, signedTarget } from '../support/objects/images.ts';
import { image as plain, withExif } from '../support/objects/inspection.ts';
import { downloadPath } from '../support/objects/objects.ts';
import { clip, image, put } from '../support/objects/processing.ts';
import { rawFetch } from '../support/raw.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

let bucket: string;
let path: string;
let source: Buffer<ArrayBuffer>;

beforeAll(async () => {
  bucket = await newBucket();
  source = await image('400x300');
  await put(bucket, 'dir/an image', source);
  path = downloadPath(bucket, 'dir/an image');
});

const storeAs = async (key: string, content: Uint8Array, to = bucket) => {
  await put(to, key, new Uint8Array(content));
  return downloadPath(to, key);
};

/** A PNG of these sides of which only the head and some bytes have arrived: nothing can decode it. */
function headOfPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const begun = chunk('IDAT', deflateSync(Buffer.alloc(100_000)).subarray(0, 50));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), begun]);
}

describe('images', () => {
  test.each([
    ['imageMogr2/rotate/33', 'the image would be 15216x15216, which is too large'],
    ['imageMogr2/blur/1x1', 'the image would be 11000x11000, which is too large'],
    ['imageMogr2/thumbnail/6000x6000!', 'the image would be 6000x6000, which is too large'],
  ])(
    '%s of 121 megapixels is refused by arithmetic: the pixels are not there [picture-05]',
    async (command, hint) => {
      const large = await storeAs('large.png', headOfPng(11_000, 11_000));
      for (const _ of [1, 2]) {
        const answer = await ask(large, command);
        expect([answer.status, answer.json()]).toEqual([400, { error: 'execute fop cmd failed', hint }]);
      }
    },
  );

  test('imageView2/2/w/200 answers the image at that width, guarded like a download [picture-01]', async () => {
    const answer = await ask(path, 'imageView2/2/w/200');
    expect(await decoded(answer)).toEqual({ size: '200x150', codec: 'png' });
    expect(answer.header('content-type')).toBe('image/png');
    expect(answer.header('content-length')).toBe(String(answer.body.length));
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.header('x-reqid')).toMatch(/./);
    expect(answer.body.equals((await ask(path, 'imageView2/2/w/200')).body)).toBe(true);
  });

  test.each([
    ['imageView2/1/w/100/h/100/format/jpg', '100x100', 'mjpeg', 'image/jpeg'],
    ['imageMogr2/thumbnail/!50p', '200x150', 'png', 'image/png'],
    ['imageMogr2/rotate/90', '300x400', 'png', 'image/png'],
    ['imageMogr2/crop/50x40/format/webp', '50x40', 'webp', 'image/webp'],
    ['imageView2/2/w/200|imageMogr2/rotate/90', '150x200', 'png', 'image/png'],
    ['imageView2%2F2%2Fw%2F200%7CimageMogr2%2Frotate%2F90', '150x200', 'png', 'image/png'],
    ['imageView2/2/w/4000', '400x300', 'png', 'image/png'],
    [`watermark/2/text/${encodeBase64Text('Teich 池')}/fontsize/400`, '400x300', 'png', 'image/png'],
  ])('%s gives %s', async (command, size, codec, type) => {
    const answer = await ask(path, command);
    expect(await decoded(answer)).toEqual({ size, codec });
    expect(answer.header('content-type')).toBe(type);
  });

  test('a name to save under may follow the commands', async () => {
    const answer = await ask(path, 'imageView2/2/w/50&attname=small.png');
    expect(await decoded(answer)).toMatchObject({ size: '50x38' });
    expect(answer.header('content-disposition')).toBe('attachment; filename="small.png"');
  });

  test('an image in a format that only ffmpeg reads is made as well', async () => {
    const bmp = await storeAs('a.bmp', await image('64x48', 'bmp'));
    expect(await decoded(await ask(bmp, 'imageView2/2/w/32/format/png'))).toEqual({
      size: '32x24',
      codec: 'png',
    });
  });

  test('other queries are none of this', async () => {
    const queries = ['v=1', 'imageInfo=1', '%zz', 'x&imageInfo', '', '12345', '2026/11/16', 'p3', 'images/2'];
    for (const query of queries) {
      const answer = await ask(path, query);
      expect([query, answer.status, answer.body.equals(source)]).toEqual([query, 200, true]);
    }
  });

  test('a command that there is not, or that lacks its arguments, is refused and not the original', async () => {
    for (const [query, hint] of [
      ['imageView/2', 'there is no command "imageView": imageView2 was probably meant'],
      ['imageView3/2/w/9', 'there is no command "imageView3": imageView2 was probably meant'],
      ['imageview2/2/w/9', 'there is no command "imageview2": imageView2 was probably meant'],
      ['imageMogr%2Fthumbnail%2F9x', 'there is no command "imageMogr": imageMogr2 was probably meant'],
      ['imageView/2&attname=a.png', 'there is no command "imageView": imageView2 was probably meant'],
      ['imageInfo|imagemogr2/rotate/90', 'there is no command "imagemogr2": imageMogr2 was probably meant'],
      ['imageView2', expect.stringContaining('imageView2')],
      ['imageView2/', expect.stringContaining('imageView2')],
      ['imageMogr2/thumbnail', expect.stringContaining('imageMogr2')],
      ['watermark', expect.stringContaining('watermark')],
      ['vframe', expect.stringContaining('vframe')],
      ['qhash', expect.stringContaining('qhash')],
      ['imageInfo/x', expect.stringContaining('imageInfo')],
    ] as const) {
      const answer = await ask(path, query);
      expect([query, answer.status, answer.json()]).toEqual([
        query,
        400,
        { error: 'invalid argument', hint },
      ]);
    }
  });
});

describe('facts of a file', () => {
  test('imageInfo, imageAve, exif and qhash answer JSON', async () => {
    const blue = await storeAs('blue.png', plain('p.png', '64x48', '0x0000ff'));
    const info = await ask(blue, 'imageInfo');
    expect(info.header('content-type')).toBe('application/json');
    expect(info.json()).toMatchObject({ format: 'png', width: 64, height: 48 });
    expect(await (await ask(blue, 'imageView2/2/w/32|imageInfo')).json()).toMatchObject({
      width: 32,
      height: 24,
    });
    expect((await ask(blue, 'imageAve')).json()).toMatchObject({
      RGB: expect.stringMatching(/^0x0[0-2]0[0-2]f[a-f]$/),
    });
    const camera = await storeAs('camera.jpg', withExif(plain('p.jpg'), 'Pond & Co'));
    expect((await ask(camera, 'exif')).json()).toMatchObject({ Make: { val: 'Pond & Co' } });
    for (const algorithm of ['md5', 'sha1', 'sha256'])
      expect((await ask(path, `qhash/${algorithm}`)).json()).toEqual({
        hash: createHash(algorithm).update(source).digest('hex'),
        fsize: source.length,
      });
  });

  test('avinfo and vframe work on videos', async () => {
    const video = await storeAs('video.mp4', await clip({ size: '320x180' }));
    const { streams } = (await ask(video, 'avinfo')).json() as { streams: { codec_type: string }[] };
    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'video']);
    const frame = await ask(video, 'vframe/jpg/offset/1/w/160');
    expect(await decoded(frame)).toEqual({ size: '160x90', codec: 'mjpeg' });
    expect(frame.header('content-type')).toBe('image/jpeg');
    const small = await ask(video, 'vframe/png/offset/1|imageView2/2/w/64');
    expect(await decoded(small)).toEqual({ size: '64x36', codec: 'png' });
  });
});

describe('as a download', () => {
  test('HEAD has the headers of GET', async () => {
    const [get, head] = [
      await ask(path, 'imageView2/2/w/120'),
      await ask(path, 'imageView2/2/w/120', { method: 'HEAD' }),
    ];
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified'])
      expect([name, head.header(name)]).toEqual([name, get.header(name)]);
  });

  test('it has an etag of its own, and conditions count', async () => {
    const query = 'imageView2/2/w/130';
    const [original, made] = [await ask(path), await ask(path, query)];
    const etag = made.header('etag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{28}"$/);
    expect(etag).not.toBe(original.header('etag'));
    const same = await ask(path, query, { headers: [['If-None-Match', etag]] });
    expect([same.status, same.body.length]).toEqual([304, 0]);
    const other = await ask(path, query, { headers: [['If-None-Match', original.header('etag') ?? '']] });
    expect(other.status).toBe(200);
    expect((await ask(path, query, { headers: [['If-Match', '"x"']] })).status).toBe(412);
  });

  test('ranges count, of a new result and of a kept one', async () => {
    for (const query of ['imageView2/2/w/140', 'imageView2/2/w/140']) {
      const part = await ask(path, query, { headers: [['Range', 'bytes=1-3']] });
      expect([part.status, part.text()]).toEqual([206, 'PNG']);
      const whole = await ask(path, query);
      expect(part.header('content-range')).toBe(`bytes 1-3/${whole.body.length}`);
      const beyond = await ask(path, query, { headers: [['Range', 'bytes=99999999-']] });
      expect(beyond.status).toBe(416);
    }
  });
});

describe('who may ask', () => {
  test('from a private bucket the commands are part of what is signed', async () => {
    const own = await newBucket();
    const hidden = await storeAs('p', source, own);
    await sendSigned({ target: '/private', body: `bucket=${own}&private=1` });
    const unsigned = await ask(hidden, 'imageView2/2/w/100');
    expect([unsigned.status, unsigned.json()]).toMatchObject([401, { error: 'token not specified' }]);
    const signed = signedTarget(`${hidden}?imageView2/1/w/100`);
    expect(signed).toMatch(/\?imageView2\/1\/w\/100&e=\d+&token=/);
    expect(await decoded(await rawFetch({ target: signed }))).toMatchObject({ size: '100x100' });
    const changed = await rawFetch({ target: signed.replace('w/100', 'w/200') });
    expect([changed.status, changed.json()]).toMatchObject([401, { error: 'bad token' }]);
    const added = await rawFetch({ target: signedTarget(hidden).replace('?', '?imageView2/1/w/100&') });
    expect(added.status).toBe(401);
  });

  test('marks are objects of the same account; private ones only for who has a signed URL', async () => {
    const blue = await storeAs('base.png', plain('p.png', '80x80', '0x0000ff'));
    const red = plain('p.png', '20x20', '0xff0000');
    const mark = await storeAs('mark.png', red);
    const command = (markPath: string, at: string = target.url) =>
      `watermark/1/image/${encodeBase64Text(at + markPath)}/gravity/Center`;
    const marked = await ask(blue, command(mark));
    expect(await decoded(marked)).toMatchObject({ size: '80x80' });
    expect(await colorAt(marked.body, 40, 40)).toMatch(/^f[0-9a-f]0[0-9a-f]0[0-9a-f]$/);
    expect(await colorAt(marked.body, 5, 5)).toMatch(/^0[0-9a-f]0[0-9a-f]f[0-9a-f]$/);

    const own = await newBucket();
    const hidden = await storeAs('mark.png', red, own);
    await sendSigned({ target: '/private', body: `bucket=${own}&private=1` });
    const missing = await ask(blue, command(downloadPath(own, 'nothing')));
    const refused = await ask(blue, command(hidden));
    expect([refused.status, refused.json()]).toEqual([400, missing.json()]);
    const signed = await rawFetch({ target: signedTarget(`${blue}?${command(hidden)}`) });
    expect(await colorAt(signed.body, 40, 40)).toMatch(/^f/);
    // Kept now, and still only for those who may see it.
    expect((await ask(blue, command(hidden))).status).toBe(400);

    expect((await ask(blue, command('/x.png', 'http://example.com'))).status).toBe(400);
    expect((await ask(blue, command('/x.png', 'http://127.0.0.1:9'))).status).toBe(400);
  });

  test('a mark that is replaced shows at once', async () => {
    const blue = await storeAs('base-2.png', plain('p.png', '80x80', '0x0000ff'));
    const mark = await storeAs('mark-2.png', plain('p.png', '20x20', '0xff0000'));
    const query = `watermark/1/image/${encodeBase64Text(target.url + mark)}/gravity/Center`;
    expect(await colorAt((await ask(blue, query)).body, 40, 40)).toMatch(/^f/);
    await storeAs('mark-2.png', plain('p.png', '20x20', '0x00ff00'));
    expect(await colorAt((await ask(blue, query)).body, 40, 40)).toMatch(/^0/);
  });
});

describe('what is refused', () => {
  test.each([
    ['imageView2/9/w/1', 'invalid argument'],
    ['imageView2/2/w/0', 'invalid argument'],
    ['imageView2/2/w/9|', 'invalid argument'],
    ['imageView2/2/w/9;imageInfo', 'invalid argument'],
    ['imageView2/2/w/9|saveas/Yjpr', 'unsupported command'],
    ['avthumb/mp4', 'unsupported command'],
    ['qrcode/0', 'unsupported command'],
    [
      `watermark/3${'/image/aHR0cDovL2EvYg=='.repeat(6)}|watermark/3${'/image/aHR0cDovL2EvYg=='.repeat(5)}`,
      'invalid argument',
    ],
    ['imageMogr2/blur/1x76|imageMogr2/blur/1x75', 'invalid argument'],
    [`imageMogr2${'/rotate/9'.repeat(11)}`, 'invalid argument'],
    ['exif', 'execute fop cmd failed'],
  ])('%s: 400 %s', async (command, error) => {
    const answer = await ask(path, command);
    expect([answer.status, answer.json()]).toEqual([400, { error, hint: expect.stringMatching(/./) }]);
  });

  test('what is no image: 400; what is missing: 404, disabled or frozen: 403', async () => {
    const text = await storeAs('text', Buffer.from('not an image'));
    const failed = await ask(text, 'imageView2/2/w/9');
    expect([failed.status, failed.json()]).toMatchObject([400, { error: 'execute fop cmd failed' }]);
    expect(JSON.stringify(failed.json())).not.toMatch(/\/(?:job|in|tmp|var)\//);
    const missing = await ask(`${path}x`, 'imageView2/2/w/9');
    expect([missing.status, missing.json()]).toEqual([404, { error: 'not found' }]);
    expect((await ask('/no-such-bucket/k', 'imageInfo')).status).toBe(404);
    await storeAs('disabled', source);
    await sendSigned({ target: `/chstatus/${formatEntry(bucket, 'disabled')}/status/1` });
    const disabled = await ask(downloadPath(bucket, 'disabled'), 'imageInfo');
    expect([disabled.status, disabled.json()]).toEqual([403, { error: 'the object is disabled' }]);
    await upload({ scope: bucket, fileType: 2 }, source, { key: 'frozen' });
    const frozen = await ask(downloadPath(bucket, 'frozen'), 'imageInfo');
    expect([frozen.status, frozen.json()]).toEqual([403, { error: 'archive unrestored' }]);
  });
});
