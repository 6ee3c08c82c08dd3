import { describe, expect, test } from 'vitest';
import {
  accountByClaim,
  listedAccount,
  type MappingSettings,
  nameFromClaims,
  rightsFromClaims,
} from './claim-mapping.ts';

const byEmail: MappingSettings = {
  oidcAccountClaim: 'email',
  oidcAccounts: [],
  oidcRightsClaim: undefined,
  oidcRights: [],
};
const bySubject: MappingSettings = {
  ...byEmail,
  oidcAccountClaim: 'sub',
  oidcAccounts: [
    ['one', 'Ada@example.com'],
    ['two', '1380000007'],
  ],
};
const said = (idToken: Readonly<Record<string, unknown>>) => ({
  issuer: 'https://id.example.com',
  subject: 'a',
  idToken,
  userInfo: {},
});

describe('the account', () => {
  test('of an address that a setting lists, however it is written', () => {
    const shared: MappingSettings = { ...byEmail, oidcAccounts: [['KATE@example.com', 'team@example.com']] };
    for (const written of ['kate@example.com', 'Kate@Example.com', '\u212Aate@example.com'])
      expect(listedAccount(written, shared)).toEqual({ email: 'team@example.com' });
    expect(listedAccount('ada@example.com', shared)).toBeUndefined();
  });

  test('of another claim is one that a setting names, by e-mail or number', () => {
    expect(accountByClaim(said({ sub: 'one' }), bySubject)).toEqual({ email: 'Ada@example.com' });
    expect(accountByClaim(said({ sub: 'two' }), bySubject)).toEqual({ uid: 1380000007n });
    for (const sub of ['ONE', 'ada@example.com', '', undefined, ['one'], 1])
      expect(() => accountByClaim(said({ sub }), bySubject)).toThrow(
        expect.objectContaining({ refusal: 'unknownAccount' }),
      );
  });
});

describe('rights', () => {
  const settings: MappingSettings = {
    ...byEmail,
    oidcRightsClaim: 'groups',
    oidcRights: [
      ['keepers', 'operator'],
      ['guests', 'key:AK'],
      ['staff', 'account'],
    ],
  };

  test('without a claim are those of the account', () => {
    expect(rightsFromClaims(said({ groups: ['keepers'] }), byEmail)).toBeUndefined();
  });

  test('are the first that match, in the order of the setting', () => {
    expect(rightsFromClaims(said({ groups: ['staff', 'keepers'] }), settings)).toEqual({ isOperator: true });
    expect(rightsFromClaims(said({ groups: 'guests' }), settings)).toEqual({
      isOperator: false,
      accessKey: 'AK',
    });
    expect(rightsFromClaims(said({ groups: ['staff'] }), settings)).toEqual({ isOperator: false });
  });

  test('are none for anything else', () => {
    for (const groups of [
      undefined,
      null,
      [],
      {},
      ['Keepers'],
      'keepers,staff',
      [['keepers']],
      ['keepers', 1],
    ])
      expect(() => rightsFromClaims(said({ groups }), settings)).toThrow(
        expect.objectContaining({ refusal: 'noRights' }),
      );
  });
});

test('a name for the log is a verified e-mail, and nothing else that was sent', () => {
  expect(nameFromClaims(said({ email: 'ada@example.com', email_verified: true }))).toBe('ada@example.com');
  expect(nameFromClaims(said({ email: 'ada@example.com', email_verified: false }))).toBeUndefined();
  expect(nameFromClaims(said({ email: 'x\ny', email_verified: true }))).toBeUndefined();
  expect(nameFromClaims(undefined)).toBeUndefined();
});
