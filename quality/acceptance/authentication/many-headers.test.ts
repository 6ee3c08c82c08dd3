/**
 * However many headers stand before them, those that a signature covers count. `MILLPOND_TEST_NODE` names another `node` to run the
 * server with: versions differ in how many headers they show.
 */
import { formatRequestDate } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { authorize, send } from '../support/signing.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('many-headers.txt', 'hello world');
});

const padding = Array.from({ length: 1_100 }, (_, at) => [`a${at}`, '1'] as const);

/** As whoever has seen it would send it again: what was signed, behind what was not. */
async function behindOthers(headers: readonly (readonly [string, string])[]) {
  const authorization = authorize({ target: object.stat, headers });
  return send({ target: object.stat, headers: [...padding, ...headers] }, authorization);
}

function minutesAgo(minutes: number): string {
  return formatRequestDate(new Date(Date.now() - minutes * 60_000));
}

test('a date that is over is refused also behind 1,100 other headers [date-01]', async () => {
  expect((await behindOthers([['X-Svc-Date', minutesAgo(60)]])).status).toBe(401);
  expect((await behindOthers([['X-Svc-Date', minutesAgo(0)]])).status).toBe(200);
});

test('an event of ours is no call also behind 1,100 other headers', async () => {
  expect((await behindOthers([['X-Svc-Delivery', 'a']])).status).toBe(401);
  expect((await behindOthers([['X-Svc-Other', 'a']])).status).toBe(200);
});

test('Authorization, Content-Type and a second Host are seen behind 1,100 other headers', async () => {
  expect((await behindOthers([])).status).toBe(200);
  expect((await behindOthers([['Host', 'elsewhere']])).status).toBe(400);
});
