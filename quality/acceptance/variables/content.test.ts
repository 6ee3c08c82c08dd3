/** Variables that are filled by looking into the content: imageInfo, exif, imageAve, avinfo. */
import { uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  image,
  sandboxWorks,
  useInspectionDeployment,
  video,
  withExif,
} from '../support/objects/inspection.ts';
import { beginUpload, putParts } from '../support/objects/multipart.ts';
import { useReceiver } from '../support/receivers/receiver.ts';

describe.runIf(sandboxWorks)('looked into', () => {
  const deployment = useInspectionDeployment({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' });
  const receiver = useReceiver();
  let jpeg: Buffer;
  let png: Buffer;
  let mp4: Buffer;

  beforeAll(() => {
    jpeg = withExif(image('p.jpg'), 'Acme "&$(key)');
    png = image('p.png', '200x10', 'red');
    mp4 = video();
  });

  test('$(imageInfo.width) of an image is its width, of a text file it is null [var-rule-07]', async () => {
    const template = '{"w":$(imageInfo.width),"h":$(imageInfo.height),"f":"$(imageInfo.format)"}';
    expect(await deployment.told(jpeg, template)).toEqual({ w: 64, h: 48, f: 'jpeg' });
    expect(await deployment.told(png, template)).toEqual({ w: 200, h: 10, f: 'png' });
    const text = Buffer.from('no image at all');
    expect(await deployment.told(text, template, 'photo.jpg')).toEqual({ w: null, h: null, f: '' });
  });

  test('$(imageInfo) alone is the whole record, in JSON as an object [var-rule-07]', async () => {
    expect(await deployment.told(jpeg, '{"info":$(imageInfo),"none":$(imageInfo.nothing.there)}')).toEqual({
      info: { size: jpeg.length, format: 'jpeg', width: 64, height: 48, colorModel: 'ycbcr' },
      none: null,
    });
  });

  test('$(exif.<tag>.val) comes from the camera’s block, one value whatever it holds [var-rule-08 G9]', async () => {
    const template = '{"make":$(exif.Make.val),"turned":$(exif.Orientation),"quoted":"<$(exif.Make.val)>"}';
    expect(await deployment.told(jpeg, template)).toEqual({
      make: 'Acme "&$(key)',
      turned: { val: 'Right-top', type: 3 },
      quoted: '<Acme "&$(key)>',
    });
    expect(await deployment.told(png, template)).toEqual({ make: null, turned: null, quoted: '<>' });
  });

  test('$(imageAve.RGB) is the average colour [var-rule-08]', async () => {
    // As red as ffmpeg makes it on its way through YUV.
    expect(await deployment.told(png, '[$(imageAve.RGB)]')).toEqual([expect.stringMatching(/^0xf.0000$/)]);
  });

  test('$(avinfo.…) of a video has video, audio and format; of an image or a text it is null [var-rule-08]', async () => {
    const template =
      '{"w":$(avinfo.video.width),"codec":$(avinfo.audio.codec_name),"format":$(avinfo.format.format_name),"file":$(avinfo.format.filename)}';
    expect(await deployment.told(mp4, template)).toEqual({
      w: 128,
      codec: 'aac',
      format: expect.stringContaining('mp4'),
      file: null,
    });
    const none = { w: null, codec: null, format: null, file: null };
    expect(await deployment.told(Buffer.from('text'), template, 'video.mp4')).toEqual(none);
  });

  test('in a form body they are text, encoded [var-rule-04 var-rule-08]', async () => {
    const endpoint = receiver.at((response) => response.end('{}'));
    const callbackBody = 'w=$(imageInfo.width)&make=$(exif.Make.val)&gone=$(avinfo.video)&info=$(imageInfo)';
    const token = uploadToken(deployment.account, {
      scope: deployment.bucket,
      callbackUrl: endpoint.url,
      callbackBody,
    });
    const answer = await uploadForm(deployment.server.url, new Uint8Array(jpeg), { token, key: 'form body' });
    expect(answer.status, await answer.text()).toBe(200);
    const fields = new URLSearchParams(endpoint.only.text);
    expect([...fields.keys()]).toEqual(['w', 'make', 'gone', 'info']);
    expect(fields.get('w')).toBe('64');
    expect(fields.get('make')).toBe('Acme "&$(key)');
    expect(fields.get('gone')).toBe('');
    expect(JSON.parse(fields.get('info') ?? '')).toMatchObject({ width: 64, format: 'jpeg' });
  });

  test('content that came in parts is looked into across them [var-rule-07 var-rule-08]', async () => {
    const bytes = video('video.mp4', '-b:v', '40M', '-minrate', '40M', '-maxrate', '40M', '-bufsize', '8M');
    const padded = Buffer.concat([bytes, mp4Free(3 * 1024 * 1024 - bytes.length)]);
    const returnBody = '{"w":$(avinfo.video.width),"seconds":$(avinfo.format.duration)}';
    const upload = await beginUpload(deployment.bucket, {
      key: 'in parts',
      policy: { returnBody },
      site: { url: deployment.server.url, account: deployment.account },
    });
    const size = 1024 * 1024;
    const parts = await putParts(
      upload,
      [0, 1, 2].map((index) => padded.subarray(index * size, (index + 1) * size)),
    );
    const answer = await upload.complete(parts);
    expect(await answer.json()).toEqual({ w: 128, seconds: expect.stringMatching(/^1\.0/) });
  });

  test('what was asked for is counted, by what came of it', async () => {
    const told = 'millpond_inspection_seconds_count{kind="image",outcome="told"}';
    const before = await deployment.metric(told);
    await deployment.told(jpeg, '[$(imageInfo.width)]');
    await deployment.told(jpeg, '[$(fsize)]');
    expect(await deployment.metric(told)).toBe(before + 1);
    expect(await deployment.metric('millpond_variables_off')).toBe(0);
  });
});

/** A box that players skip, so that a small video fills three parts. */
function mp4Free(bytes: number): Buffer {
  const box = Buffer.alloc(bytes);
  box.writeUInt32BE(bytes, 0);
  box.write('free', 4, 'latin1');
  return box;
}
