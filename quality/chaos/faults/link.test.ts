import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Link } from './link.ts';

/** What the far side was sent, on any connection. */
let heard = '';
let far: ReturnType<typeof createServer>;
let link: Link;
const near: Socket[] = [];

beforeEach(async () => {
  heard = '';
  far = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      heard += data;
      socket.write(`echo ${String(data)}`);
    });
  }).listen(0, '127.0.0.1');
  await once(far, 'listening');
  link = await Link.open(`http://127.0.0.1:${(far.address() as AddressInfo).port}`);
});
afterEach(async () => {
  for (const socket of near.splice(0)) socket.destroy();
  await link.close();
  far.close();
});

function open() {
  const url = new URL(link.through('http://nowhere.example:1'));
  const socket = connect(Number(url.port), url.hostname);
  near.push(socket);
  const client = { socket, text: '', isOver: false };
  socket.on('data', (data) => {
    client.text += data;
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      client.isOver = true;
    });
  return client;
}
const waited = () => sleep(120);
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 60_000 });

describe('a link', () => {
  test('carries both ways, and the URL keeps all but its address', async () => {
    const client = open();
    client.socket.write('hello');
    await until(() => client.text === 'echo hello');
    expect(link.through('postgres://u:p@db:5432/name?x=1')).toMatch(
      /^postgres:\/\/u:p@127\.0\.0\.1:\d+\/name\?x=1$/,
    );
    expect(link.through('http://engine:80')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('that refuses ends what is open, and what comes', async () => {
    const before = open();
    before.socket.write('a');
    await until(() => before.text === 'echo a');
    link.set('refuse');
    await until(() => before.isOver);
    const during = open();
    await until(() => during.isOver);
    link.set('open');
    const later = open();
    later.socket.write('b');
    await until(() => later.text === 'echo b');
  });

  test.each([
    ['blackHole', ''],
    ['deaf', 'lost'],
  ] as const)('that is a %s tells nobody, and what was lost stays lost', async (state, arrived) => {
    const client = open();
    await waited();
    link.set(state);
    client.socket.write('lost');
    await waited();
    expect([client.text, client.isOver, heard]).toEqual(['', false, arrived]);
    link.set('open');
    await until(() => client.isOver);
    expect(heard).toBe(arrived);
  });

  test('that is half open has lost its far side only', async () => {
    const client = open();
    client.socket.write('a');
    await until(() => client.text === 'echo a');
    link.set('halfOpen');
    client.socket.write('b');
    await waited();
    expect([client.text, client.isOver, heard]).toEqual(['echo a', false, 'a']);
  });

  test('that is slow carries everything in order, later', async () => {
    const client = open();
    link.set('slow');
    const begun = performance.now();
    for (const letter of 'abc') client.socket.write(letter);
    await until(() => client.text.replaceAll('echo ', '') === 'abc');
    // There and back.
    expect(performance.now() - begun).toBeGreaterThan(100);
    client.socket.write('d');
    await sleep(20);
    link.set('open');
    client.socket.end('e');
    await until(() => heard === 'abcde');
  });
});
