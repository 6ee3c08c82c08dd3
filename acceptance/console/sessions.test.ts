/** Signing in at the console, its calls, and the ends of sessions. */
import { formatEntry } from '@millpond/protocol';
import { type ConsoleUser, createBucket, signIn, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

let person: Person;
let user: ConsoleUser;
const bucket = `console-${Date.now().toString(36)}`;

beforeAll(async () => {
  person = await createParent();
  user = await signIn(target.console, person);
  await createBucket(target.url, person, bucket);
  const token = uploadToken(person, { scope: `${bucket}:a b.txt` });
  expect((await uploadForm(target.url, 'hello', { token, key: 'a b.txt' })).status).toBe(200);
});

test('a session takes the place of a signature', async () => {
  const stat = await user.call('rs', `/stat/${formatEntry(bucket, 'a b.txt')}`);
  expect(stat.json()).toMatchObject({ fsize: 5 });
  const info = await user.call('api', '/v1/user/info', { method: 'POST' });
  expect(info.json()).toMatchObject({ uid: person.uid, email: person.email });
  const read = await user.call('io', `/${bucket}/a%20b.txt`);
  expect([read.status, read.text()]).toEqual([200, 'hello']);
  const list = await user.call('rsf', `/list?bucket=${bucket}`);
  expect(list.json()).toMatchObject({ items: [{ key: 'a b.txt' }] });
});
