import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientTransactions } from './client-transactions.ts';
import { type InviteOutcome, InviteTransactions } from './invite-transactions.ts';
import { parseMessage, type SipRequest, type SipResponse } from './message.ts';
import type { Peer } from './peer.ts';

const sent: SipRequest[] = [];
const peer = (transport: 'udp' | 'tcp', address = '10.0.0.1'): Peer => ({
  transport,
  address,
  port: 5060,
  send: (bytes) => sent.push(parseMessage(bytes) as SipRequest),
  keep: () => undefined,
});
const invitation = {
  uri: 'sip:channel@10.0.0.1:5060',
  headers: [
    ['From', '<sip:us@here>;tag=ours'],
    ['To', '<sip:channel@here>'],
    ['Call-ID', 'call-1'],
    ['Contact', '<sip:us@192.0.2.1:5060>'],
  ],
  body: Buffer.from('v=0\r\n'),
} as const;

function answer(status: string, contact = '<sip:channel@10.9.9.9:5070>'): SipResponse {
  const via = sent[0]?.via[0] ?? '';
  const lines = [
    `SIP/2.0 ${status}`,
    `Via: ${via}`,
    'From: <sip:us@here>;tag=ours',
    'To: <sip:channel@here>;tag=theirs',
    'Call-ID: call-1',
    'CSeq: 1 INVITE',
    `Contact: ${contact}`,
    'Content-Length: 5',
    '',
    'v=0\r\n',
  ];
  return parseMessage(Buffer.from(lines.join('\r\n'))) as SipResponse;
}

const methods = () => sent.map(({ method }) => method);
let transactions: ClientTransactions;
let invites: InviteTransactions;
let stopped: AbortController;
const begin = (transport: 'udp' | 'tcp' = 'udp'): Promise<InviteOutcome> =>
  invites.invite(peer(transport), invitation, stopped.signal);

beforeEach(() => {
  sent.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stopped = new AbortController();
  transactions = new ClientTransactions();
  invites = new InviteTransactions(transactions, { host: '192.0.2.1:5060', withinMs: 1200 });
  return () => void vi.useRealTimers();
});

describe('a call', () => {
  test('that is taken is acknowledged, as often as the answer comes', async () => {
    const done = begin();
    invites.answered(answer('100 Trying'), peer('udp'));
    invites.answered(answer('200 OK'), peer('udp', '10.0.0.2'));
    invites.answered(answer('200 OK'), peer('udp'));
    invites.answered(answer('200 OK'), peer('udp'));
    const outcome = await done;
    expect(outcome).toMatchObject({
      kind: 'accepted',
      dialog: { callId: 'call-1' },
      body: Buffer.from('v=0\r\n'),
    });
    expect(methods()).toEqual(['INVITE', 'ACK', 'ACK']);
    expect(sent[1]).toMatchObject({ uri: 'sip:channel@10.9.9.9:5070', to: '<sip:channel@here>;tag=theirs' });
    expect(sent[1]?.via).not.toEqual(sent[0]?.via);
    if (outcome.kind !== 'accepted') return;
    void invites.bye(peer('udp'), outcome.dialog);
    expect(sent.at(-1)).toMatchObject({
      method: 'BYE',
      cseq: { number: 2 },
      to: '<sip:channel@here>;tag=theirs',
    });
    transactions.close();
  });

  test('that is refused is acknowledged within its transaction, and says why', async () => {
    const done = begin();
    invites.answered(answer('486 Busy Here'), peer('udp'));
    invites.answered(answer('486 Busy Here'), peer('udp'));
    expect(await done).toEqual({ kind: 'refused', status: 486, reason: 'Busy Here' });
    expect(methods()).toEqual(['INVITE', 'ACK', 'ACK']);
    expect(sent[1]?.via).toEqual(sent[0]?.via);
    expect(sent[1]?.cseq).toEqual({ number: 1, method: 'ACK' });
  });

  test('is sent again over UDP until something is heard, and given up after its time', async () => {
    const silent = begin();
    vi.advanceTimersByTime(499);
    expect(methods()).toEqual(['INVITE']);
    vi.advanceTimersByTime(701);
    expect(await silent).toEqual({ kind: 'silent' });
    expect(methods()).toEqual(['INVITE', 'INVITE']);
    sent.length = 0;
    const done = begin('tcp');
    vi.advanceTimersByTime(1199);
    expect(methods()).toEqual(['INVITE']);
    invites.close();
    expect(await done).toEqual({ kind: 'silent' });
    expect(await begin()).toEqual({ kind: 'silent' });
  });

  test('that is given up while it rings is cancelled, and ended where it is taken all the same', async () => {
    const done = begin();
    invites.answered(answer('180 Ringing'), peer('udp'));
    stopped.abort();
    expect(await done).toEqual({ kind: 'silent' });
    expect(methods()).toEqual(['INVITE', 'CANCEL']);
    expect(sent[1]?.via).toEqual(sent[0]?.via);
    invites.answered(answer('200 OK'), peer('udp'));
    expect(methods()).toEqual(['INVITE', 'CANCEL', 'ACK', 'BYE']);
    transactions.close();
  });

  test('whose answer has a contact that is none goes on where it began', async () => {
    const done = begin();
    invites.answered(answer('200 OK', '<tel:1>'), peer('udp'));
    expect(await done).toMatchObject({ dialog: { target: invitation.uri } });
  });
});
