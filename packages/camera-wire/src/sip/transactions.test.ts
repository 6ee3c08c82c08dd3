import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientTransactions } from './client-transactions.ts';
import { parseMessage, type SipResponse } from './message.ts';
import type { Peer } from './peer.ts';
import { ServerTransactions } from './server-transactions.ts';

describe('requests that came', () => {
  test('have one answer for as long as they may be repeated', () => {
    const at = { now: 0 };
    const transactions = new ServerTransactions(() => at.now);
    expect(transactions.begin('a')).toBe('new');
    expect(transactions.begin('a')).toBe('pending');
    transactions.cacheResponse('a', Buffer.from('first'));
    transactions.cacheResponse('a', Buffer.from('second'));
    expect(String(transactions.begin('a'))).toBe('first');
    at.now = 32_000;
    expect(transactions.begin('a')).toBe('new');
  });

  test('are remembered within bounds of number and bytes', () => {
    const transactions = new ServerTransactions(() => 0);
    for (let n = 0; n < 30_000; n++) transactions.begin(`key ${n}`);
    expect(transactions.size).toBe(20_000);
    for (let n = 0; n < 2_000; n++) {
      transactions.begin(`long ${n}`);
      transactions.cacheResponse(`long ${n}`, Buffer.alloc(16_384));
    }
    expect(transactions.bytes).toBeLessThanOrEqual(16 * 2 ** 20);
  });
});

describe('requests of ours', () => {
  const sent: Buffer[] = [];
  beforeEach(() => {
    sent.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => void vi.useRealTimers();
  });
  const peer = (transport: 'udp' | 'tcp', address = '10.0.0.1'): Peer => ({
    transport,
    address,
    port: 5060,
    send: (bytes) => sent.push(bytes),
    keep: () => undefined,
  });
  const answer = (branch: string, status: number) =>
    parseMessage(
      Buffer.from(
        `SIP/2.0 ${status} X\r\nVia: SIP/2.0/UDP a;branch=${branch}\r\nFrom: a\r\nTo: b\r\nCall-ID: c\r\nCSeq: 1 MESSAGE\r\n\r\n`,
      ),
    ) as SipResponse;

  test('are sent again until they are answered from where they went', async () => {
    const transactions = new ClientTransactions();
    const done = transactions.send(peer('udp'), Buffer.from('x'), 'one');
    vi.advanceTimersByTime(499);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(3);
    transactions.answered(answer('one', 200), peer('udp', '10.0.0.2'));
    transactions.answered(answer('another', 200), peer('udp'));
    transactions.answered(answer('one', 100), peer('udp'));
    expect(transactions.size).toBe(1);
    transactions.answered(answer('one', 404), peer('udp'));
    expect(await done).toBe(404);
    expect(transactions.size).toBe(0);
  });

  test('go once over a connection, and end with their port', async () => {
    const transactions = new ClientTransactions();
    const done = transactions.send(peer('tcp'), Buffer.from('x'), 'two');
    vi.advanceTimersByTime(31_999);
    expect([sent.length, transactions.size]).toEqual([1, 1]);
    transactions.close();
    expect(await done).toBeUndefined();
  });

  test('that nobody answers are given up', async () => {
    const transactions = new ClientTransactions();
    const done = transactions.send(peer('udp'), Buffer.from('x'), 'three');
    vi.advanceTimersByTime(32_000);
    expect(await done).toBeUndefined();
    expect(transactions.size).toBe(0);
  });
});
