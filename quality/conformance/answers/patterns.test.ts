import { expect, test } from 'vitest';
import { answerPattern, requestPattern } from './patterns.ts';
import type { RecordedAnswer } from './recorder.ts';

const recorded = (values: Partial<RecordedAnswer>): RecordedAnswer => ({
  method: 'GET',
  target: '/',
  host: '127.0.0.1:12345',
  credential: '',
  contentType: '',
  status: 200,
  headers: {},
  body: '',
  ...values,
});
const json = (value: unknown, status = 200) =>
  recorded({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

test.each([
  ['/v1/trash/b-12ab34cd56/undelete', '/v1/trash/b-99ffee0011/undelete'],
  ['/stat/YnVja2V0OmtleS0xMjM0NTY=', '/stat/YnVja2V0OmtleS05ODc2NTQ='],
  ['/list?bucket=b-1&limit=5', '/list?limit=1000&bucket=other'],
])('requests for other names are of one kind: %s and %s', (one, other) => {
  expect(requestPattern(recorded({ target: one }))).toBe(requestPattern(recorded({ target: other })));
});

test.each([
  [{ target: '/v1/trash/b-12ab34cd56' }, { target: '/v1/bulk/b-12ab34cd56' }],
  [{ credential: 'Svc' }, { credential: 'UpToken' }],
  [{ method: 'GET' }, { method: 'HEAD' }],
  [{ target: '/list?bucket=a' }, { target: '/list?bucket=a&prefix=b' }],
  [{ contentType: 'application/json' }, { contentType: 'application/x-www-form-urlencoded' }],
])('requests %j and %j are of two kinds', (one, other) => {
  expect(requestPattern(recorded(one))).not.toBe(requestPattern(recorded(other)));
});

test('answers about other objects are the same answer', () => {
  const one = json({
    hash: 'FgSI5yGq3dOb1yF7YkVe1zXrCNvM',
    fsize: 5,
    items: [{ key: 'k-1a2b' }, { key: 'k-3c4d' }],
  });
  const other = json({ fsize: 70_000, hash: 'lk3sKQbbY0oVQ0wbiDxhvSy1R5Fd', items: [{ key: 'k-5e6f' }] });
  expect(answerPattern(one)).toBe(answerPattern(other));
});

test.each([
  ['another status', json({ error: 'no such bucket' }, 631), json({ error: 'no such bucket' }, 612)],
  ['other words', json({ error: 'no such bucket' }, 631), json({ error: 'there is no such bucket' }, 631)],
  ['a member less', json({ a: 1, b: 'x' }), json({ a: 1 })],
  ['another code in a list', json([{ code: 200 }]), json([{ code: 612 }])],
  ['a text that was a number', json({ size: 5 }), json({ size: '5' })],
  ['a header more', recorded({ headers: { 'cache-control': 'no-store' } }), recorded({})],
])('an answer with %s is another one', (_what, one, other) => {
  expect(answerPattern(one)).not.toBe(answerPattern(other));
});

test('JSON that was cut off is not compared further', () => {
  const cut = { headers: { 'content-type': 'application/json' }, body: '{"items": [' };
  expect(answerPattern(recorded(cut))).toContain('cut off');
});
