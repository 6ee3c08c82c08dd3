import type { Log } from '@millpond/base';
import type { Peer, SipMessage } from '@millpond/camera-wire';
import { expect, test } from 'vitest';
import { Registrar, type RegistrarDeps } from './registrar.ts';
import { sipForbidden } from './sip-responses.ts';

const DOMAIN = '3402000000';
let branches = 0;

function register(): SipMessage {
  branches += 1;
  const device = `<sip:34020000001320000001@${DOMAIN}>`;
  return {
    kind: 'request',
    method: 'REGISTER',
    uri: `sip:34020000002000000001@${DOMAIN}`,
    headers: new Map(),
    via: [`SIP/2.0/UDP 192.0.2.7:5060;rport;branch=z9hG4bK${branches}`],
    from: `${device};tag=1`,
    to: device,
    callId: String(branches),
    cseq: { number: 1, method: 'REGISTER' },
    body: Buffer.alloc(0),
  };
}

/** A registrar whose looks at passwords wait until they are told to end. */
function startRegistrar(maxPending: number) {
  const looks: (() => void)[] = [];
  const authentication = {
    credentials: () => ({}),
    verify: () => new Promise((resolve) => looks.push(() => resolve(sipForbidden))),
  } as unknown as RegistrarDeps['authentication'];
  const deps = { authentication, log: console as unknown as Log } as RegistrarDeps;
  const registrar = new Registrar(deps, { maxPending, minExpiresMs: 1000, maxExpiresMs: 1000 });
  const answers = new Map<string, string[]>();
  const ask = (address: string) => {
    const statuses = answers.get(address) ?? [];
    answers.set(address, statuses);
    const send = (bytes: Buffer) => void statuses.push(bytes.toString().slice(8, 11));
    const peer: Peer = { transport: 'udp', address, port: 5060, send, keep: () => undefined };
    registrar.handle(register(), peer);
  };
  return { registrar, looks, ask, answersTo: (address: string) => answers.get(address) ?? [] };
}

test('one address, or one /64, leaves room for registrations of others', async () => {
  const { registrar, looks, ask, answersTo } = startRegistrar(8);
  for (let at = 0; at < 20; at++) ask('192.0.2.1');
  expect(registrar.counts.pending).toBe(2);
  expect(answersTo('192.0.2.1')).toEqual(Array(18).fill('503'));
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3']) ask(address);
  expect(answersTo('2001:db8::3')).toEqual(['503']);
  for (let at = 2; at < 6; at++) ask(`192.0.2.${at}`);
  expect(registrar.counts.pending).toBe(8);
  ask('192.0.2.6');
  expect(answersTo('192.0.2.6')).toEqual(['503']);
  // What has ended makes room again.
  for (const end of looks) end();
  await expect.poll(() => registrar.counts.pending).toBe(0);
  expect(answersTo('192.0.2.5')).toEqual(['403']);
  const before = answersTo('192.0.2.1').length;
  ask('192.0.2.1');
  expect([registrar.counts.pending, answersTo('192.0.2.1').length]).toEqual([1, before]);
});
