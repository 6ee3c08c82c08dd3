/** A look at what is stored, in a private bucket and under the console's policy: nothing of it runs, all of it is shown. */
import { FORM_TYPE } from '@millpond/protocol';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useObjects } from '../../support/console/objects.ts';
import { useLanguage } from '../../support/console/words.ts';
import { bucketDo, form } from '../../support/objects/buckets.ts';
import { clip, image, segment, sound } from '../../support/objects/processing.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj
trailer<</Root 1 0 R>>
`;

let page: Page;
const place = useObjects('preview', async ({ person, bucket, put }) => {
  const made = await Promise.all([clip(), segment(), sound(), image('300x200')]);
  const [film, part, tone, picture] = made;
  // The segment is named by a host that the console's page could not ask.
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${target.url}/${bucket}/hls/000.ts\n#EXT-X-ENDLIST\n`;
  const main = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nhls/list.m3u8\n';
  await Promise.all([
    put('film.mp4', film, 'video/mp4'),
    put('hls/000.ts', part, 'video/mp2t'),
    put('hls/list.m3u8', playlist, 'application/vnd.apple.mpegurl'),
    put('main.m3u8', main, 'application/vnd.apple.mpegurl'),
    put('tone.mp3', tone, 'audio/mpeg'),
    put('picture.png', picture, 'image/png'),
    put('paper.pdf', PDF, 'application/pdf'),
    put('data.json', '{"take":[3,"<b>"]}', 'application/json'),
    put('page.html', '<script>parent.document.title = "run"</script>', 'text/html'),
  ]);
  await bucketDo(
    '/private',
    { body: form({ bucket, private: 1 }), contentType: FORM_TYPE },
    { url: target.url, account: person },
  );
});
afterEach(() => closePage(page));

const open = (key: string) => page.goto(`/buckets/${place().bucket}/objects?key=${key}`);
/** Plays without sound, as browsers allow it without a click. */
const played = (name: 'video' | 'audio') =>
  page.locator(`.detail_preview ${name}`).evaluate(async (element) => {
    const media = element as unknown as {
      muted: boolean;
      currentTime: number;
      play(): Promise<void>;
      addEventListener(name: string, act: () => void): void;
    };
    media.muted = true;
    const moves = new Promise<void>((seen) => {
      media.addEventListener('timeupdate', () => media.currentTime > 0 && seen());
    });
    await media.play();
    await moves;
  });

test.runIf(hasBrowser)('pictures, films, sound, HLS, PDF, JSON and pages are shown', async () => {
  page = await signedIn(place().person, `/buckets/${place().bucket}/objects?key=main.m3u8`);
  await page.locator('.detail_preview video').waitFor();
  await played('video');
  await open('film.mp4');
  await played('video');
  await open('tone.mp3');
  await played('audio');
  await open('data.json');
  await page.getByText('"take": [').waitFor();
  await page.getByText('"<b>"').waitFor();
  await open('page.html');
  await page.getByText('parent.document.title').waitFor();
  expect(await page.title()).not.toBe('run');
  // A command is tried on the picture.
  await open('picture.png');
  await page.getByLabel(say('Image command, e.g. imageView2/2/w/200')).fill('imageView2/2/w/50');
  await page.getByRole('button', { name: say('Try', {}, 'objects'), exact: true }).click();
  await expect
    .poll(() =>
      page
        .locator('.detail_preview img')
        .evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBe(50);
  const pdf = page.waitForResponse((answer) => answer.url().endsWith('/paper.pdf'));
  await open('paper.pdf');
  expect((await pdf).headers()['content-security-policy']).not.toContain('sandbox');
  await page.locator('iframe.detail_preview').waitFor();
});
