/** The image without media programs, in each role that it is for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { openEventProducer } from '@millpond/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { imageNames } from './containerfile.ts';
import { readCompose, runToEnd, type Service } from './containers.ts';
import { createUploader, type ImageDeployment, makePlace } from './image-deployment.ts';

/** The smallest GIF. */
const PICTURE = new Uint8Array(Buffer.from('R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=', 'base64'));

let place: ImageDeployment;
let service: Service;
beforeAll(async () => {
  place = await makePlace();
  const { gateway } = await readCompose();
  if (!gateway) throw new Error('the compose file has no gateway');
  service = { ...gateway, image: (await imageNames()).millpond };
  expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(await runToEnd({ ...service, command: ['migrate'] }, place.placed(0))).toContain('applied region/');
});
afterAll(() => place?.remove());

test('a gateway takes an upload and makes a picture of it, with no ffmpeg', async () => {
  const gateway = await place.start({ ...service, command: ['serve', '--no-work'] });
  await expect.poll(gateway.isReady).toBe(true);
  expect(await gateway.container.health()).toBe('healthy');
  expect(await gateway.container.refusal('ffmpeg', '-version')).not.toBe('');
  expect(await gateway.container.refusal('touch', '/opt/here')).toContain('Read-only file system');
  const { upload } = await createUploader(gateway);
  expect(await upload(gateway.url, 'dot.gif', PICTURE)).toBe(200);
  const made = await fetch(`${gateway.url}/photos/dot.gif?imageView2/2/w/1/format/png`);
  expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await gateway.container.stop()).code).toBe(0);
});

test('a sender brings an event to its receiver', async () => {
  const came = Promise.withResolvers<string>();
  const receiver = createServer((request, response) => {
    came.resolve(String(request.headers['webhook-id']));
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const sender = await place.start(
    { ...service, command: ['work', '--only', 'deliveries'] },
    { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
  );
  await expect.poll(sender.isReady).toBe(true);
  const account = await sender.container.exec(
    {},
    ...'millpond account create me@example.com --json'.split(' '),
  );
  const { uid } = JSON.parse(account) as { uid: number };
  const producer = openEventProducer(place.databaseUrl);
  onTestFinished(() => producer.close());
  const { port } = receiver.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  const [event] = await producer.addAll([{ uid, url, endpoint: 'here', entity: 'one' }]);
  expect(await came.promise).toBe(event?.id);
  const { code, seconds } = await sender.container.stop();
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(15);
});
