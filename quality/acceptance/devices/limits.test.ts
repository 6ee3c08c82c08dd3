/** What somebody meets who connects to the SIP port and has no device. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newGbid, SOON, useDeviceDeployment } from '../support/live/devices.ts';

const place = useDeviceDeployment({
  MILLPOND_SIP_CONNECTIONS_PER_ADDRESS: '3',
  MILLPOND_SIP_MESSAGES_PER_CONNECTION: '5+1/m',
});

interface Stranger {
  readonly socket: net.Socket;
  readonly closed: Promise<unknown>;
  readonly statuses: () => string[];
}

async function stranger(): Promise<Stranger> {
  const socket = net.connect(place.sip.port, place.sip.address);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  onTestFinished(async () => {
    socket.destroy();
    await closed;
  });
  await Promise.race([once(socket, 'connect'), closed]);
  return {
    socket,
    closed,
    statuses: () => [...text.matchAll(/^SIP\/2\.0 (\d{3}) /gm)].map(([, status = '']) => status),
  };
}

function options(number: number): string {
  const { serverId, realm } = place.sip;
  return [
    `OPTIONS sip:${serverId}@${realm} SIP/2.0`,
    `Via: SIP/2.0/TCP 192.0.2.7:5060;rport;branch=z9hG4bK${number}`,
    `From: <sip:34020000001320000001@${realm}>;tag=1`,
    `To: <sip:${serverId}@${realm}>`,
    `Call-ID: ${number}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0\r\n\r\n',
  ].join('\r\n');
}

test('a connection that sends more messages than it may is closed, and a new one begins anew', async () => {
  await place.camera(newGbid());
  for (let turn = 0; turn < 2; turn++) {
    const { socket, closed, statuses } = await stranger();
    socket.write([1, 2, 3, 4, 5, 6, 7, 8].map(options).join(''));
    await closed;
    expect(statuses()).toEqual(['200', '200', '200', '200', '200']);
  }
});

test('a connection that sends what is no message is closed, and one whose device has registered stays', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid, { transport: 'tcp' });
  expect((await camera.register()).status).toBe(200);
  const { socket, closed, statuses } = await stranger();
  socket.write('l:0\r\n\r\n'.repeat(9362));
  await closed;
  expect(statuses()).toEqual([]);
  expect((await camera.keepalive()).status).toBe(200);
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online']);
});

test('an address has no more connections than it may have, and another one when one of them has ended', async () => {
  await place.camera(newGbid());
  const [first, ...others] = [await stranger(), await stranger(), await stranger()];
  await (await stranger()).closed;
  first?.socket.destroy();
  await expect
    .poll(async () => {
      const next = await stranger();
      next.socket.write(options(1));
      await Promise.race([next.closed, once(next.socket, 'data')]);
      next.socket.destroy();
      return next.statuses();
    }, SOON)
    .toEqual(['200']);
  for (const { socket, statuses } of others) {
    socket.write(options(2));
    await expect.poll(statuses, SOON).toEqual(['200']);
  }
});
