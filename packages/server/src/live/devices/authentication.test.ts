import { type Peer, parseCredentials, type SipRequest } from '@millpond/camera-wire';
import { expect, test } from 'vitest';
import { Authentication, type AuthenticationDeps } from './authentication.ts';

test('passwords of a device are guessed at by a network, not by each of its 2^64 addresses', async () => {
  const nobody = { store: { find: () => Promise.resolve([]) } } as unknown as AuthenticationDeps;
  const authentication = new Authentication(nobody, 'realm', 100);
  const fields = [
    'username="u"',
    'realm="realm"',
    'nonce="n"',
    'uri="sip:x"',
    `response="${'0'.repeat(32)}"`,
  ];
  const credentials = parseCredentials(`Digest ${fields.join(',')}`);
  const guess = async (address: string) => {
    const request = { method: 'REGISTER' } as SipRequest;
    const answer = await authentication.verify('34020000001320000001', credentials, request, {
      address,
    } as Peer);
    return 'status' in answer ? answer.status : undefined;
  };
  const answers = [];
  for (let at = 0; at < 40; at++) answers.push(await guess(`2001:db8:1:2::${at.toString(16)}`));
  expect(answers.filter((status) => status === 403).length).toBeLessThan(35);
  expect(answers.at(-1)).toBe(503);
  expect(await guess('2001:db8:1:3::1')).toBe(403);
});
