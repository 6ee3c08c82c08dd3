/** A small studio's account as it might be on a working day: stills and takes, a task that failed, a receiver that is away. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { MillpondError } from '@millpond/client';
import type { Client } from '@millpond/client/server';
import { uploadForm, uploadToken } from '@millpond/testing';
import { operate } from '../accounts/operator.ts';
import { json, type Receiver, reply } from '../receivers/receiver.ts';
import { sdkClient } from '../running/sdk.ts';
import { target } from '../target.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface Studio {
  readonly person: { readonly email: string; readonly password: string };
  readonly bucket: string;
  /** The name of a picture in `stills/`. */
  readonly still: string;
  readonly failed: string;
  readonly bulk: string;
  readonly delivery: string;
  readonly reqid: string;
  readonly live: StudioLive;
}

/** What it streams: a namespace of its stages, and one of the cameras on the quay. */
interface StudioLive {
  readonly stages: string;
  readonly stream: string;
  /** The namespace of the cameras. */
  readonly quay: string;
  readonly camera: string;
}

const PERSON = { email: 'edit@studio.example', password: 'a password for pictures' };
const BUCKET = 'north-harbour';
/** From night to noon over water. */
const SKIES = ['0x0b2545', '0x13748b', '0xf4a259', '0xf7e8d0', '0x5b8e7d'];
const PLACES = ['harbour', 'lighthouse', 'dunes', 'ferry', 'market', 'boathouse'];
const STREAMS = { 'stage-a': 'main stage', 'stage-b': 'tent by the lighthouse', 'ferry-deck': '' };
const CAMERAS = ['Slipway', 'Harbour gate', 'Boathouse roof'];
const DEVICE_PASSWORD = 'of-no-use-here';

export async function studio(receiver: Receiver): Promise<Studio> {
  const args = ['account', 'create', PERSON.email, '--json', '--password'];
  const account = JSON.parse(await operate(args, target.environment, `${PERSON.password}\n`)) as {
    accessKey: string;
    secretKey: string;
  };
  const client = sdkClient({ credentials: account });
  for (const name of [BUCKET, 'north-harbour-web', 'archive-2025']) await client.buckets.create(name, 'z0');
  const put = async (key: string, content: Buffer<ArrayBuffer>, mimeType: string, bucket = BUCKET) => {
    const token = uploadToken(account, { scope: `${bucket}:${key}` });
    const { status } = await uploadForm(target.url, content, { token, key, mimeType });
    if (status !== 200) throw new Error(`${key}: ${status}`);
  };

  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-studio-'));
  try {
    for (const [n, place] of PLACES.entries())
      for (const take of [1, 2, 3]) {
        const still = await picture(folder, n * 3 + take);
        await put(`stills/${place}-${take}.jpg`, still, 'image/jpeg');
        if (take === 1) await put(`press/${place}.jpg`, still, 'image/jpeg', 'north-harbour-web');
      }
    const film = await take(folder);
    for (const place of PLACES) await put(`takes/${place}.mp4`, film, 'video/mp4');
    await put('takes/ferry-night.mov', film.subarray(0, 2000), 'video/quicktime');
    await put('notes/call-sheet.md', Buffer.from('# Day 3\n\n05:40 harbour, first light\n'), 'text/markdown');
  } finally {
    await rm(folder, { recursive: true });
  }
  await settings(client, receiver);
  const away = receiver.at(reply(503, '{"error":"back at 18:00"}'));
  const there = receiver.at(json({ ok: true }));
  const submit = (key: string, fops: string, notifyURL: string) =>
    client.processing.submit({ bucket: BUCKET, key, fops, notifyURL, pipeline: 'dailies' });
  const done = await Promise.all(
    PLACES.map((place, n) =>
      submit(
        `takes/${place}.mp4`,
        'avthumb/mp4/s/320x180;vframe/jpg/offset/1|imageView2/2/w/320',
        n === 1 ? away.url : there.url,
      ),
    ),
  );
  const failed = await submit(
    'takes/ferry-night.mov',
    'avthumb/mp4/s/640x360;vframe/jpg/offset/0',
    there.url,
  );
  await Promise.all([...done, failed].map((id) => client.processing.wait(id, { every: 200 })));
  for (const key of ['stills/market-3.jpg', 'stills/dunes-2.jpg']) await client.objects.delete(BUCKET, key);
  const { id: bulk } = await client.bulk.submit({
    kind: 'class',
    bucket: BUCKET,
    prefix: 'stills/',
    class: 1,
  });
  await client.bulk.wait(bulk);
  const { reqid } = await client.objects.stat(BUCKET, 'takes/pier.mp4').then(
    () => ({ reqid: '' }),
    (error: MillpondError) => error,
  );
  await until(() => client.requests.get(reqid).catch(() => undefined));
  const delivery = await until(async () => {
    for await (const { id } of client.deliveries.list()) {
      const { attempts } = await client.deliveries.get(id);
      if (attempts.some(({ answer }) => answer?.status === 503)) return id;
    }
    return undefined;
  });
  const live = await studioLive(client);
  return { person: PERSON, bucket: BUCKET, still: 'harbour-1.jpg', failed, bulk, delivery, reqid, live };
}

async function settings(client: Client, receiver: Receiver): Promise<void> {
  const hook = receiver.at(json({ ok: true }));
  await client.buckets.setPrivate('archive-2025', true);
  await client.buckets.addLifecycle(BUCKET, {
    name: 'old_takes',
    prefix: 'takes/',
    to_archive_after_days: 90,
  });
  await client.buckets.addLifecycle(BUCKET, { name: 'scratch', prefix: 'tmp/', delete_after_days: 7 });
  await client.buckets.setQuota(BUCKET, { size: 50 * 2 ** 30 });
  await client.buckets.setEventRules(BUCKET, [
    { name: 'new stills', url: hook.url, events: ['created'], prefix: 'stills/' },
  ]);
  await client.processing.putStyle(BUCKET, 'card', 'imageView2/1/w/480/h/320');
  await client.processing.putStyle(BUCKET, 'thumb', 'imageView2/1/w/160/h/160');
  await client.processing.putPipeline('dailies', 2);
  await client.processing.putPipeline('publish', 4);
  await client.processing.putWorkflow('web-video', 'avthumb/mp4/s/1280x720;vframe/jpg/offset/1');
  await client.processing.putWorkflow('contact-sheet', 'imageView2/1/w/240/h/160');
  await client.processing.addTrigger({
    bucket: BUCKET,
    prefix: 'inbox/',
    suffix: '.mov',
    workflow: 'web-video',
  });
  await client.accounts.createKey({
    note: 'ingest cart',
    limits: { buckets: [BUCKET], prefixes: ['inbox/'] },
  });
  await client.accounts.createKey({ note: 'website, reads only', limits: { actions: ['read'] } });
  for (const name of ['lena', 'omar'])
    await client.accounts.createChild(`${name}@studio.example`, 'of no use here');
}

async function studioLive(client: Client): Promise<StudioLive> {
  const { id: stages } = await client.live.createNamespace({ name: 'stages', desc: 'festival, three days' });
  for (const [streamId, desc] of Object.entries(STREAMS))
    await client.live.streams(stages).create({ streamId, desc });
  const { id: quay } = await client.live.createNamespace({
    name: 'quay',
    desc: 'cameras',
    accessType: 'gb28181',
  });
  let camera = '';
  for (const name of CAMERAS)
    camera = (await client.live.devices(quay).create({ name, password: DEVICE_PASSWORD })).gbId;
  return { stages, stream: 'stage-a', quay, camera };
}

/** Colours that flow into each other, of a seed: pictures that are the same every time. */
async function picture(folder: string, seed: number): Promise<Buffer<ArrayBuffer>> {
  const file = path.join(folder, `${seed}.jpg`);
  const colors = SKIES.map((_, n) => `c${n}=${SKIES[(n + seed) % SKIES.length]}`).join(':');
  const source = `gradients=s=1200x800:n=${SKIES.length}:${colors}:seed=${seed}:d=1:r=1,vignette`;
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    source,
    '-frames:v',
    '1',
    '-q:v',
    '4',
    file,
  ]);
  return (await readFile(file)) as Buffer<ArrayBuffer>;
}

async function take(folder: string): Promise<Buffer<ArrayBuffer>> {
  const file = path.join(folder, 'take.mp4');
  const sources = [
    `gradients=s=640x360:c0=${SKIES[0]}:c1=${SKIES[2]}:seed=7:d=4:r=15`,
    'sine=frequency=220:duration=4',
  ];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-t', '4'];
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...codecs, '-movflags', '+faststart', file]);
  return (await readFile(file)) as Buffer<ArrayBuffer>;
}
