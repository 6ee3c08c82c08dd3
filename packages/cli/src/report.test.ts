import { MillpondError } from '@millpond/client';
import { afterEach, expect, test } from 'vitest';
import { exitCodes } from './exit.ts';
import { messageWithHint } from './hints.ts';
import { forgetInstallations, useInstallation } from './remote/contacted.ts';
import { describe, prefixNotFound } from './report.ts';

afterEach(forgetInstallations);

const refused = (port: number) =>
  new MillpondError('network', `no answer: connect ECONNREFUSED 127.0.0.1:${port}`, {
    unsent: true,
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port }),
  });

/** What is said of an error where a command has asked these installations. */
function saidAfter(error: MillpondError, ...aliases: readonly (string | undefined)[]): string {
  forgetInstallations();
  for (const alias of aliases)
    useInstallation({
      alias,
      endpoint: ['http://127.0.0.1:8100', 'api=https://127.0.0.1:8101'],
      isDefaultEndpoint: alias === undefined,
      accessKey: 'abcdefghijklmnop',
    });
  return messageWithHint(error);
}

const denied = new MillpondError('badToken', 'bad token', { status: 401, reqid: 'r' });

test('a refused key is named, with where it was sent and where it came from', () => {
  expect(saidAfter(denied, undefined)).toBe(
    'bad token: the access key abcdefgh… is unknown or disabled at http://127.0.0.1:8100, https://127.0.0.1:8101, ' +
      'or its secret is wrong: check MILLPOND_ACCESS_KEY, MILLPOND_SECRET_KEY and MILLPOND_ENDPOINT',
  );
});

test('a hint that names the key says no more than that', () => {
  const hint = 'the access key abcdefghijklmnop is unknown';
  const error = new MillpondError('badToken', 'bad token', { status: 401, hint });
  expect(saidAfter(error, undefined)).toContain('unknown or disabled at http://127.0.0.1:8100, ');
});

test('of an alias, the alias is named', () => {
  expect(saidAfter(denied, 'prod')).toMatch(/or its secret is wrong: check the alias prod$/);
});

test('of several installations none is named: the error does not say whose it is', () => {
  expect(saidAfter(denied, 'prod', 'test')).toBe(
    'bad token: an access key is unknown or disabled, or its secret is wrong',
  );
});

test('a hint of the error itself, such as one about the clock, is what is said', () => {
  const skewed = new MillpondError('badToken', 'bad token', {
    status: 401,
    hint: 'the clock is 20 min late',
  });
  expect(saidAfter(skewed, undefined)).toBe('bad token: the clock is 20 min late');
});

test('where nothing listens, the address is said, and that nobody chose it', () => {
  expect(saidAfter(refused(8100), undefined)).toBe(
    'nothing listens on http://127.0.0.1:8100 (the default, because MILLPOND_ENDPOINT is not set): start `millpond dev`, or name your server',
  );
  expect(saidAfter(refused(8101), 'prod')).toBe(
    'nothing listens on https://127.0.0.1:8101: start it, or name another server in the alias prod',
  );
});

test('a host that is not there is named', () => {
  const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', hostname: 'typo.example' });
  const lost = new MillpondError('network', 'no answer', { cause });
  expect(saidAfter(lost, 'prod')).toBe('the host typo.example was not found: check the alias prod');
});

test('a bucket that is not there is named, with the way to those that are', () => {
  const missing = new MillpondError('noSuchBucket', 'no such bucket', { status: 631, reqid: 'r' });
  expect(describe(prefixNotFound(':typo', missing))).toEqual({
    text: ':typo: no such bucket: `millpond ls` shows yours (631, reqid r)',
    code: exitCodes.notFound,
  });
  expect(saidAfter(missing, 'prod')).toContain('`millpond ls prod:` shows yours');
  expect(prefixNotFound(':typo', denied)).toBe(denied);
});

test('a certificate that is not trusted is no passing fault', () => {
  expect(describe(new MillpondError('tls', 'the certificate is not trusted'))).toEqual({
    text: 'the certificate is not trusted',
    code: exitCodes.fatal,
  });
});
