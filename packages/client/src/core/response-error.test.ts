import { formatHttpDate } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { refusalOf } from './response-error.ts';
import type { TransportResponse } from './transport.ts';

function answered(status: number, text: string, minutesAhead: number | undefined): TransportResponse {
  const date =
    minutesAhead === undefined ? {} : { date: formatHttpDate(Date.now() / 1000 + minutesAhead * 60) };
  const headers: Readonly<Record<string, string>> = { 'x-reqid': 'r', ...date };
  return {
    status,
    header: (name) => headers[name],
    text: async () => text,
    chunks: async function* () {},
    discard: () => undefined,
  };
}

const BAD = '{"error":"bad token"}';
const KEY_HINT = 'the access key ak is unknown or disabled there, or its secret is wrong';

describe('what a refusal may come from', () => {
  test.each([
    [22, "this machine's clock is 22 minutes behind the server's"],
    [-22, "this machine's clock is 22 minutes ahead of the server's"],
    [60 * 5, "this machine's clock is 5 hours behind the server's"],
    [-60 * 24 * 365, "this machine's clock is 365 days ahead of the server's"],
    [14, KEY_HINT],
    [undefined, KEY_HINT],
  ])('a server whose clock is %s minutes ahead: %s', async (minutes, hint) => {
    const error = await refusalOf(answered(401, BAD, minutes), 'ak:signature:policy');
    expect(error).toMatchObject({ status: 401, code: 'badToken', message: 'bad token', reqid: 'r', hint });
  });

  test('a date that is refused, in the words of either dialect', async () => {
    const error = await refusalOf(answered(403, '{"error":"request time too skewed"}', 30));
    expect(error).toMatchObject({
      code: 'requestTimeTooSkewed',
      hint: expect.stringContaining('30 minutes behind'),
    });
  });

  test.each([
    ['a refusal that says why', 401, '{"error":"token not specified","hint":"sign it"}', 0, 'sign it'],
    ['another refusal', 403, '{"error":"not allowed"}', 60, undefined],
    ['somebody in between', 401, 'who are you?', 60, 'who are you?'],
  ])('%s is left as it is', async (_, status, text, minutes, hint) => {
    expect((await refusalOf(answered(status, text, minutes), 'ak')).hint).toBe(hint);
  });

  test('without an access key none is named', async () => {
    expect((await refusalOf(answered(401, BAD, 0))).hint).toBeUndefined();
  });
});
