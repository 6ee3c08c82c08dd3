/**
 * Runs inside the sandbox: takes one request after the other, as frames.ts describes. Images come as bytes, never as paths, so
 * that no decoder opens any other file; only the decoders named here exist at all.
 */
import { once } from 'node:events';
import sharp from 'sharp';
import { free, receiveRequests, replyFrames } from './framing.ts';
import { inspectImage } from './inspect.ts';
import { ImageRejectedError } from './refusal.ts';
import type { ImageReply, ImageRequest } from './requests.ts';
import { transformImage } from './transform.ts';

/** Maximum length of a decoder's message. */
const MAX_MESSAGE_LENGTH = 500;

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadTiffBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

for await (const { request, images } of receiveRequests(process.stdin)) {
  const reply = images === undefined ? failed('no image') : await answer(request, images).catch(failed);
  for (const frame of replyFrames(reply))
    if (!process.stdout.write(frame)) await once(process.stdout, 'drain');
  for (const image of images ?? []) free(image);
}

async function answer(request: ImageRequest, images: readonly Uint8Array[]): Promise<ImageReply> {
  const [image = new Uint8Array(), ...others] = images;
  return request.kind === 'look'
    ? { told: await inspectImage(image, request) }
    : await transformImage(image, others, request);
}

function failed(error: unknown): ImageReply {
  if (error instanceof ImageRejectedError) return { told: { refused: error.message } };
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'failed';
  return { told: { error: text.slice(0, MAX_MESSAGE_LENGTH) } };
}
