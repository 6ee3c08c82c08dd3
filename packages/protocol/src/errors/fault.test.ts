import { describe, expect, test } from 'vitest';
import { accountErrors } from './accounts.ts';
import { Fault, faultBody } from './fault.ts';
import { objectErrors } from './objects.ts';

describe('faults', () => {
  test('an object fault says its text and no more', () => {
    const fault = new Fault('noSuchEntry', { detail: 'bucket 7', cause: new Error('secret') });
    expect(fault.status).toBe(612);
    expect(faultBody(fault)).toEqual({ error: 'no such file or directory' });
  });

  test('a hint stands beside the text, which clients compare', () => {
    const fault = new Fault('invalidArgument', { hint: 'a key is at most 750 bytes long' });
    expect(faultBody(fault)).toEqual({ error: 'invalid argument', hint: 'a key is at most 750 bytes long' });
  });

  test('an account fault carries its code', () => {
    const fault = new Fault('tokenExpired');
    expect(fault.status).toBe(401);
    expect(faultBody(fault)).toEqual({
      error: 'expired_token',
      error_code: 9,
      error_description: expect.stringContaining('expired'),
    });
  });

  test('a name stands in one table only, so that its style is certain', () => {
    expect(Object.keys(accountErrors).filter((name) => Object.hasOwn(objectErrors, name))).toEqual([]);
  });

  test('the account table is the interface’s, and one row for what is no call', () => {
    const rows = Object.values(accountErrors).map((row) => `${row.status} ${row.code} ${row.error}`);
    expect(rows).toEqual([
      '405 1 invalid_request_method',
      '400 2 invalid_client',
      '400 3 invalid_token',
      '400 4 invalid_email',
      '400 5 invalid_grant_type',
      '400 6 invalid_without_params',
      '400 7 invalid_empty_params',
      '400 8 invalid_bad_request',
      '401 9 expired_token',
      '409 10 record_exists',
      '401 11 failed_authentication',
      '417 12 failed_request',
      '403 13 unauthorized_client',
      '400 14 record_not_found',
      '401 15 permission_denied',
      '404 8 invalid_bad_request',
    ]);
  });

  test('the codes above 599 keep their numbers and texts [G45]', () => {
    const rows = Object.values(objectErrors).filter((row) => row.status > 599);
    expect(rows.map((row) => `${row.status} ${row.text}`)).toEqual(
      expect.arrayContaining([
        '608 content modified',
        '612 no such file or directory',
        '613 cond not match',
        '614 file exists',
        '630 too many buckets',
        '631 no such bucket',
        '640 invalid list marker',
        '701 invalid upload context',
      ]),
    );
  });

  test('the texts that the interface prints are printed so', () => {
    const texts = Object.values(objectErrors).map((row) => `${row.status} ${row.text}`);
    expect(texts).toEqual(
      expect.arrayContaining([
        '400 invalid argument',
        '400 key must be utf8 encoding',
        '400 Invalid mimeType',
        '400 archive already restored',
        '400 invalid freeze after days',
        '401 bad token',
        '403 archive unrestored',
        '403 deep archive unrestored',
        '403 operation only allowed for archive or deep archive',
        '403 request time too skewed',
        "403 key doesn't match with scope",
      ]),
    );
  });
});
