/**
 * Thumbnails of 12-megapixel images by URL, against sharp alone with the file in memory; and such a thumbnail once it
 * is kept, against a plain download of the same bytes. With the server's own settings, and more images than it
 * remembers, so that each is read from the engine.
 */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { Driver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { runRounds } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { siteOf, upload } from '../upload.ts';
import { getWork } from './get.ts';

/** Bytes after the end of an image are not part of it: the same work, different content. */
const PHOTOS = 40;
const KEPT = 'imageView2/2/w/200';
/** Concurrent downloads of stored thumbnails, which are ordinary downloads. */
const MAX_CONCURRENT_DOWNLOADS = 32;

export async function benchImages(stage: Stage, driver: Driver, options: Options): Promise<Comparison> {
  const photo = await makePhoto();
  const target = siteOf(stage);
  const paths: string[] = [];
  for (let number = 0; number < PHOTOS; number++)
    paths.push(
      await upload(target, `photo-${number}.jpg`, Buffer.concat([photo, Buffer.from(String(number))])),
    );
  const [path = ''] = paths;
  const measured = { ...options, serverCpu: stage.serverCpu };
  await startProcesses(stage, path, options.concurrency);
  const made = await runRounds(
    driver,
    { ours: { kind: 'images', to: stage.address, paths }, bare: { kind: 'sharp', file: photo } },
    measured,
  );
  const small = Buffer.from(await (await fetch(`${stage.server.url}${path}?${KEPT}`)).arrayBuffer());
  const plain = await upload(target, 'small.jpg', small);
  const downloads = (target: string) => getWork(stage.address, [target], small.length);
  const kept = await runRounds(
    driver,
    { ours: downloads(`${path}?${KEPT}`), bare: downloads(plain) },
    { ...measured, concurrency: MAX_CONCURRENT_DOWNLOADS },
  );
  return {
    ...compare(made, options),
    kept: compare(kept, { ...options, concurrency: MAX_CONCURRENT_DOWNLOADS }),
  };
}

/** They are started when first needed, and kept: starting them is not what is measured. */
async function startProcesses(stage: Stage, path: string, processes: number): Promise<void> {
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const width = 400 + round * processes + index;
        const answer = await fetch(`${stage.server.url}${path}?imageView2/2/w/${width}`);
        if (!answer.ok) throw new Error(`an image: ${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
      }),
    );
}

/** Two to three megabytes, as a camera writes them. */
async function makePhoto(): Promise<Buffer<ArrayBuffer>> {
  const [width, height] = [4000, 3000];
  const coarse = sharp(randomBytes(400 * 300 * 3), { raw: { width: 400, height: 300, channels: 3 } });
  const pixels = await coarse.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
  return Buffer.from(pixels);
}
