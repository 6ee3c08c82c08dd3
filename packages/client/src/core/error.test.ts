import { describe, expect, test } from 'vitest';
import { responseToError } from './error.ts';

describe('the error of an answer', () => {
  test('has the word of its row, and of the first row of a status that is ours alone', () => {
    expect(responseToError(612, '{"error":"no such task"}').code).toBe('noSuchTask');
    expect(responseToError(612, '')).toMatchObject({
      code: 'noSuchEntry',
      message: 'the server answered 612',
    });
    expect(responseToError(404, '{"error":"in other words"}').code).toBe('notFound');
    expect(responseToError(599, '{"error":"in other words"}').code).toBe('serverFailure');
  });

  test.each([
    [401, '<html>\n<title>401 Authorization Required</title>'],
    [403, '<html>\n<title>403 Forbidden</title>'],
    [400, '<html>\n<title>400 The plain HTTP request was sent to HTTPS port</title>'],
    [404, '<html>\n<title>404 Not Found</title>'],
    [418, '<html>\n<title>a teapot</title>'],
  ])('%i of somebody in between is none of ours, and is shown', (status, text) => {
    expect(responseToError(status, text)).toMatchObject({
      status,
      code: 'unexpected',
      message: `the server answered ${status}`,
      hint: text.replace('\n', ' '),
      body: undefined,
    });
  });

  test('JSON of somebody in between is none of ours either', () => {
    expect(responseToError(403, '{"message":"blocked"}')).toMatchObject({
      code: 'unexpected',
      hint: '{"message":"blocked"}',
    });
    expect(responseToError(401, '{"error":"invalid_token"}')).toMatchObject({
      code: 'unexpected',
      message: 'invalid_token',
      hint: undefined,
    });
  });

  test('no more is shown than the beginning of it', () => {
    expect(responseToError(502, `\u001b[31m${'x'.repeat(1000)}`).hint).toBe(`[31m${'x'.repeat(195)}`);
    expect(responseToError(502, '').hint).toBeUndefined();
  });

  test('a callback that failed: what the receiver said, and the fields that the error holds', () => {
    const fields = {
      callback_url: 'https://receiver.example/uploaded',
      callback_bodyType: 'application/x-www-form-urlencoded',
      callback_body: 'key=k',
      token: 'ak:sign:policy',
      err_code: 500,
      error: 'the album is full',
      hash: 'FpYmSYvL5mfZbOuJRB1g0iK0QKXf',
      key: 'k',
    };
    const error = responseToError(579, JSON.stringify({ error: JSON.stringify(fields) }), { reqid: 'r' });
    expect(error).toMatchObject({
      status: 579,
      code: 'callbackFailed',
      message: 'the album is full',
      reqid: 'r',
      body: fields,
    });
  });

  test.each([
    ['{"error":"x"}', 'x', { error: 'x' }],
    ['{"error":"7"}', '7', { error: '7' }],
    ['{"error":"{\\"err_code\\":0}"}', 'the server answered 579', { err_code: 0 }],
    ['', 'the server answered 579', undefined],
  ])('one that says something else: %s', (text, message, body) => {
    const error = responseToError(579, text, {});
    expect([error.code, error.message, error.body]).toEqual(['callbackFailed', message, body]);
  });
});
