import { formatRequestDate } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

function dated(date: string) {
  return { target: object.stat, headers: [['X-Svc-Date', date]] as const };
}

function minutesFromNow(minutes: number): string {
  return formatRequestDate(new Date(Date.now() + minutes * 60_000));
}

test.each([-16, 16, -60 * 24 * 365, 60 * 24 * 365])(
  'a date %d minutes off is refused [date-01]',
  async (minutes) => {
    const answer = await sendSigned(dated(minutesFromNow(minutes)));
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual({ error: 'bad token' });
  },
);

test.each([-14, 0, 14])('a date %d minutes off is accepted [date-02]', async (minutes) => {
  const answer = await sendSigned(dated(minutesFromNow(minutes)));
  expect(answer.status).toBe(200);
});

test('a malformed date is refused [date-03]', async () => {
  const now = new Date();
  for (const date of [
    '',
    'now',
    now.toISOString(),
    now.toUTCString(),
    formatRequestDate(now).slice(0, -1),
    formatRequestDate(now).toLowerCase(),
    `${formatRequestDate(now)}Z`,
    String(Math.floor(now.getTime() / 1000)),
    '20260230T000000Z',
  ]) {
    const answer = await sendSigned(dated(date));
    expect(answer.status, date).toBe(401);
    expect(answer.json()).toEqual({ error: 'bad token' });
  }
});

test('two dates are refused, whichever was signed', async () => {
  const [now, old] = [minutesFromNow(0), minutesFromNow(-60)];
  for (const dates of [
    [now, old],
    [old, now],
  ]) {
    const headers = dates.map((date) => ['X-Svc-Date', date] as const);
    expect((await sendSigned({ target: object.stat, headers })).status).toBe(401);
  }
});

test('a call without date is accepted, with no check of time [date-04]', async () => {
  expect((await sendSigned({ target: object.stat })).status).toBe(200);
});

test('a date that was not signed is refused [date-06]', async () => {
  const unsigned = authorize({ target: object.stat });
  const answer = await send(dated(minutesFromNow(0)), unsigned);
  expect(answer.status).toBe(401);
  expect(answer.json()).toEqual({ error: 'bad token' });
});
