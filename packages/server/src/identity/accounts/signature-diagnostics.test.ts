import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { signatureExplainer } from './signature-diagnostics.ts';

const on = signatureExplainer(true);

test('every byte of the text is to be seen, as printf writes it', () => {
  const { hint } = on('wrong signature', () => [
    'GET /a%20b?c=\\\nHost: h\u00e9\r\n\n',
    Buffer.from('\u00e9\t\u0000'),
  ]);
  expect(hint).toBe(
    'wrong signature; the text to sign: GET /a%20b?c=\\\\\\nHost: h\\xe9\\r\\n\\n\\xc3\\xa9\\t\\x00',
  );
});

test('a long text is cut', () => {
  const { hint = '' } = on('wrong signature', () => ['POST /\n', Buffer.alloc(4_000_000, 1)]);
  expect(hint).toMatch(
    /^wrong signature; the text to sign: POST \/\\n(\\x01)+… \(the first 1024 of 4000007 bytes\)$/,
  );
  expect(hint.length).toBeLessThan(5000);
});

test('of a request that nobody can sign there is no text', () => {
  const impossible = () => {
    throw new Fault('invalidArgument');
  };
  expect(on('wrong signature', impossible)).toEqual({ detail: 'wrong signature', hint: 'wrong signature' });
});

test('where it is off the caller is told nothing, and no text is made', () => {
  const made = () => {
    throw new Error('made');
  };
  expect(signatureExplainer(false)('wrong signature', made)).toEqual({ detail: 'wrong signature' });
});
