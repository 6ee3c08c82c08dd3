import { describe, expect, test } from 'vitest';
import { errorOfAnswer } from './error.ts';

describe('the error of an answer', () => {
  test('has the word of its row, and of the first row of its status where the text is none of ours', () => {
    expect(errorOfAnswer(612, '{"error":"no such task"}', {}).code).toBe('noSuchTask');
    expect(errorOfAnswer(612, '', {})).toMatchObject({
      code: 'noSuchEntry',
      message: 'the server answered 612',
    });
    expect(errorOfAnswer(418, '<html>', {})).toMatchObject({ code: 'unexpected', body: undefined });
  });

  test('a callback that failed: what the receiver said, and the fields that the error holds', () => {
    const fields = {
      callback_url: 'https://receiver.example/uploaded',
      callback_bodyType: 'application/x-www-form-urlencoded',
      callback_body: 'key=k',
      token: '',
      err_code: 500,
      error: 'the album is full',
      hash: 'FpYmSYvL5mfZbOuJRB1g0iK0QKXf',
      key: 'k',
    };
    const error = errorOfAnswer(579, JSON.stringify({ error: JSON.stringify(fields) }), { reqid: 'r' });
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
    const error = errorOfAnswer(579, text, {});
    expect([error.code, error.message, error.body]).toEqual(['callbackFailed', message, body]);
  });
});
