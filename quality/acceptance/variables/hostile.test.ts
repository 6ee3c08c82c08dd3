/** Content made to harm whoever looks into it: the upload is answered, the variables have no value, nothing is touched. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { image, sandboxWorks, useInspectionDeployment, video } from '../support/objects/inspection.ts';

const ALL = '{"i":$(imageInfo),"e":$(exif),"c":$(imageAve),"a":$(avinfo)}';
const EMPTY = { i: null, e: null, c: null, a: null };

describe.runIf(sandboxWorks)('hostile content', () => {
  const deployment = useInspectionDeployment();
  let canary: Server;
  let hits = 0;
  let address = '';

  beforeAll(async () => {
    canary = createServer((socket) => {
      hits++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const at = canary.address();
    address = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
  });
  afterAll(() => void canary?.close());

  const files: [string, () => string | Buffer][] = [
    [
      'a playlist of our files and addresses',
      () => `#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\n${address}/a.ts\n`,
    ],
    ['a list of files to join', () => `ffconcat version 1.0\nfile /etc/passwd\nfile ${address}/x.mp4\n`],
    [
      'a drawing that loads others',
      () =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${address}/x.png" width="9" height="9"/><image href="/etc/passwd" width="9" height="9"/></svg>`,
    ],
    ['a session description', () => `v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n`],
    [
      'a script for an image tool',
      () => `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 '${address}/x'\n`,
    ],
    ['an image of 10^10 pixels', () => bomb()],
    ['an empty file', () => ''],
    ['zeros', () => Buffer.alloc(1024 * 1024)],
  ];
  test.each(files)('%s tells nothing and reaches nothing [var-rule-08]', async (_, content) => {
    expect(await deployment.told(Buffer.from(content()), ALL)).toEqual(EMPTY);
    expect(hits).toBe(0);
  });

  test('files cut off anywhere are stored, and tell what can be read of them [var-rule-08]', async () => {
    for (const whole of [image('p.jpg'), image('p.png'), image('p.gif'), video()]) {
      for (const part of [0.05, 0.5, 0.95]) {
        const told = await deployment.told(whole.subarray(0, Math.ceil(whole.length * part)), ALL);
        expect(Object.keys(told as object)).toEqual(['i', 'e', 'c', 'a']);
      }
    }
    expect(await deployment.told(image('p.jpg'), '[$(imageInfo.width)]')).toEqual([64]);
  });

  test('a video that tells much of itself does not make its own upload fail [var-rule-08]', async () => {
    const wordy = video('video.mkv', '-metadata', `title=${'long '.repeat(8000)}`);
    expect(await deployment.told(wordy, '{"a":$(avinfo),"w":$(avinfo.video.width)}')).toEqual({
      a: null,
      w: null,
    });
    const plain = await deployment.told(video('video.mkv'), '[$(avinfo.video.width)]');
    expect(plain).toEqual([128]);
  });
});

/** The head of a png that says it is 100,000 by 100,000. */
function bomb(): Buffer {
  const png = image('p.png');
  png.writeUInt32BE(100_000, 16);
  png.writeUInt32BE(100_000, 20);
  return png;
}
