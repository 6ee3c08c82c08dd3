/** The images do what the compose file starts them for, with what it allows them. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeVideo } from '@millpond/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Container, readCompose, runToEnd, type Service } from './containers.ts';
import { createUploader, type ImageDeployment, makePlace, USER } from './image-deployment.ts';

const run = promisify(execFile);
/** A worker gives the tasks that it is at 20 s and then hands them back, and periodic work 10 s. A compose program waits for 45 s. */
const MAX_STOPPING_SECONDS = 35;
const MAX_STARTING_SECONDS = 10;

let place: ImageDeployment;
let services: Record<'migrate' | 'gateway' | 'worker', Service>;
beforeAll(async () => {
  place = await makePlace();
  const { migrate, gateway, worker } = await readCompose();
  if (!migrate || !gateway || !worker) throw new Error('the compose file has other services');
  services = { migrate, gateway, worker };
});
afterAll(() => place?.remove());

/** Whatever the compose file says: nothing in the image can be changed, by a user who can do nothing else either. */
async function expectConfined(container: Container): Promise<void> {
  for (const file of ['/opt/millpond/here', '/usr/local/bin/here', '/etc/here', '/var/lib/millpond/here'])
    expect([file, await container.refusal('touch', file)]).toEqual([
      file,
      expect.stringContaining('Read-only file system'),
    ]);
  expect(await container.exec({}, 'id', '-u')).toBe(`${USER}\n`);
  const status = await container.exec({}, 'cat', '/proc/1/status');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    expect(status).toMatch(new RegExp(`^${set}:\\t0{16}$`, 'm'));
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
}

async function makePicture(file: string): Promise<Uint8Array<ArrayBuffer>> {
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=640x360', '-frames:v', '1', file]);
  return new Uint8Array(await readFile(file));
}

test('migrate, serve, work; an upload, a thumbnail and a transcode in the sandbox; ends without a failed request or a lost task', async () => {
  expect(await runToEnd(services.migrate, place.placed(0))).toContain('applied region/');
  const first = await place.start(services.gateway);
  const second = await place.start(services.gateway);
  const worker = await place.start(services.worker);
  for (const each of [first, second, worker]) {
    await expect.poll(each.isReady).toBe(true);
    await expectConfined(each.container);
    // It asks where the settings say that the server listens, which is not where the image has it.
    expect(await each.container.health()).toBe('healthy');
  }

  const { keys, upload } = await createUploader(first);
  const film = path.join(place.folder, 'film.flv');
  await makeVideo(film, 'red', 2);
  expect(await upload(first.url, 'film.flv', new Uint8Array(await readFile(film)))).toBe(200);
  const picture = await makePicture(path.join(place.folder, 'frame.png'));
  expect(await upload(first.url, 'frame.png', picture)).toBe(200);
  const thumbnail = await fetch(`${second.url}/photos/frame.png?imageView2/2/w/100`);
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(new DataView(await thumbnail.arrayBuffer()).getUint32(16)).toBe(100);
  const command = (line: string) => first.container.exec(keys, ...`millpond ${line}`.split(' '));
  await command('pfop :photos/film.flv --fops avthumb/mp4/s/80x60 --save-as photos/small.mp4 --wait');
  const sizeOf = async (key: string) => {
    const file = path.join(place.folder, 'result.mp4');
    const answer = await fetch(`${first.url}/photos/${key}`);
    await writeFile(file, new Uint8Array(await answer.arrayBuffer()));
    const wanted = ['-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
    return (await run('ffprobe', ['-v', 'error', ...wanted, file])).stdout.trim();
  };
  expect(await sizeOf('small.mp4')).toBe('80,60');
  expect(await first.container.exec({}, 'sh', '-c', 'millpond doctor || true')).toMatch(/^good +sandbox/m);

  // A worker that ends in the middle of a transcode: another one makes it.
  const long = path.join(place.folder, 'long.mp4');
  const noise = 'testsrc2=size=640x360:rate=30:duration=120';
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', noise, '-preset', 'ultrafast', long]);
  expect(await upload(first.url, 'long.mp4', new Uint8Array(await readFile(long)))).toBe(200);
  const submit = 'pfop :photos/long.mp4 --fops avthumb/mp4/s/320x180 --save-as photos/half.mp4';
  const id = (await command(submit)).trim();
  const stateOf = async () => /^state +(\w+)$/m.exec(await command(`task show ${id}`))?.[1];
  // Held where it is, or a fast machine would have made it before.
  const hold =
    'for each in /proc/[0-9]*; do read -r name < $each/comm && [ $name = ffmpeg ] && kill -STOP $(basename $each) && exit; done; exit 1';
  const isHeld = () =>
    worker.container.exec({}, 'sh', '-c', hold).then(
      () => true,
      () => false,
    );
  await expect.poll(isHeld).toBe(true);
  const containerExit = await worker.container.stop();
  expect(containerExit.code).toBe(0);
  expect(containerExit.seconds).toBeLessThan(MAX_STOPPING_SECONDS);
  expect(await stateOf()).toMatch(/^(?:waiting|processing)$/);
  const other = await place.start(services.worker);
  await expect.poll(stateOf, { timeout: 300_000, interval: 1000 }).toBe('done');
  expect(await sizeOf('half.mp4')).toBe('320,180');
  // What the sandbox leaves behind, its first process reaps.
  expect(await other.container.exec({}, 'sh', '-c', 'cat /proc/[0-9]*/stat')).not.toMatch(/^\d+ \(.*\) Z /m);

  // As a load balancer would: requests go to the first gateway for as long as it says that it is ready.
  let isStopped = false;
  const statuses: number[] = [];
  const load = Array.from({ length: 4 }, async (_, lane) => {
    for (let number = 0; !isStopped; number++) {
      const { url } = (await first.isReady()) ? first : second;
      const content = new TextEncoder().encode(`${lane} ${number}`);
      statuses.push(await upload(url, `lane-${lane}-${number}`, content).catch(() => 0));
    }
  });
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  const delay = Number.parseInt(services.gateway.environment.MILLPOND_DRAIN_DELAY ?? '', 10);
  const { code, seconds } = await first.container.stop();
  const whenEnded = statuses.length;
  await expect.poll(() => statuses.length).toBeGreaterThan(whenEnded + 20);
  isStopped = true;
  await Promise.all(load);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(code).toBe(0);
  expect(seconds).toBeGreaterThan(delay);
  expect(seconds).toBeLessThan(delay + MAX_STOPPING_SECONDS);
  expect(await first.container.logs()).toContain('"msg":"stopped"');
  console.log(
    `a worker ended in ${containerExit.seconds} s, a gateway in ${seconds} s, ${statuses.length} uploads`,
  );
  for (const each of [second, other]) expect((await each.container.stop()).code).toBe(0);
});

test.each(['serve', 'work', 'migrate'])('%s ends at once while its database hangs', async (command) => {
  const connected = Promise.withResolvers<void>();
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    connected.resolve();
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  const url = `postgres://a:b@127.0.0.1:${port}/none`;
  const environment = { MILLPOND_MASTER_KEY_FILE: '/run/secrets/master-key', MILLPOND_BLOBS: 'disk' };
  const settings = { MILLPOND_CONTROL_DB: url, MILLPOND_REGION_DB: url };
  const { container } = await place.start({ ...services.gateway, environment, command: [command] }, settings);
  await connected.promise;
  const { code, seconds } = await container.stop();
  // The deploy step is not done.
  expect(code).toBe(command === 'migrate' ? 130 : 0);
  expect(seconds).toBeLessThan(MAX_STARTING_SECONDS);
});
