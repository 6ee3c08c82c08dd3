/** What costs more than its bytes: bodies in tiny pieces, and requests that do not wait for the answers to those before. */
import { uploadToken } from '@millpond/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { openConnection, type RawConnection, requestBytes } from '../support/raw.ts';
import { field, file, openUpload, wholeBody } from '../support/raw-form.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

const TINY = '127.0.0.6';
const ends: RawConnection[] = [];
afterEach(() => {
  for (const { socket } of ends.splice(0)) socket.destroy();
});

async function connectionFrom(address: string): Promise<RawConnection> {
  const connection = await openConnection(target.url, address);
  connection.socket.on('error', () => undefined);
  ends.push(connection);
  return connection;
}

async function slowedDown(): Promise<number> {
  const text = await (await fetch(`${target.adminUrl}/metrics`)).text();
  return Number(/^millpond_bodies_slowed_down_total (\d+)$/m.exec(text)?.[1]);
}

describe('a body in chunks of one byte', () => {
  test('is stored as it was sent [cost-01]', async () => {
    const bucket = await newBucket();
    const content = Array.from({ length: 6000 }, (_, n) => String(n % 10)).join('');
    const token = uploadToken(target.account, { scope: bucket });
    const body = wholeBody([field('token', token), field('key', 'tiny'), file(content)]);
    const sent = await openUpload(target.url, { from: '127.0.0.7' });
    const chunks = [...body].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    await sent.sendRaw(Buffer.concat(chunks));
    const answer = await sent.finish();
    expect(answer.status, await answer.text()).toBe(200);
    expect(await (await download(bucket, 'tiny')).text()).toBe(content);
  });

  test.each([
    ['to an upload', 'POST', '/', 'multipart/form-data; boundary=b'],
    ['to a call', 'POST', '/stat/xx', 'application/x-www-form-urlencoded'],
    ['to a download', 'GET', '/nothing/nowhere', 'text/plain'],
  ])('%s is read more slowly, whether somebody reads it or not [cost-02]', async (_, method, path, type) => {
    const before = await slowedDown();
    const connection = await connectionFrom(TINY);
    const headers: [string, string][] = [
      ['Content-Type', type],
      ['Transfer-Encoding', 'chunked'],
    ];
    connection.socket.write(requestBytes(target.url, { method, target: path, headers }));
    connection.socket.write('1\r\nx\r\n'.repeat(100_000));
    await expect.poll(slowedDown, { timeout: 30_000 }).toBeGreaterThan(before);
    expect((await fetch(target.url)).status).toBeGreaterThan(0);
  });
});

test('of requests that are sent without waiting for answers, 32 are served [cost-03]', async () => {
  const bucket = await newBucket();
  expect((await upload({ scope: bucket }, 'content', { key: 'k' })).status).toBe(200);
  const connection = await connectionFrom('127.0.0.8');
  const request = requestBytes(target.url, { target: `/${bucket}/k` });
  connection.socket.write(Buffer.concat(Array.from({ length: 50 }, () => request)));
  for (let served = 0; served < 32; served++) {
    const answer = await connection.answer();
    expect([answer.status, answer.text()]).toEqual([200, 'content']);
  }
  const refused = await connection.answer();
  expect([refused.status, refused.header('retry-after'), refused.header('connection')]).toEqual([
    573,
    '1',
    'close',
  ]);
  await connection.closed;
});
