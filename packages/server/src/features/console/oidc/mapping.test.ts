import { describe, expect, test } from 'vitest';
import { accountIn, type MappingSettings, nameIn, rightsIn } from './mapping.ts';

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
const ada = { email: 'ada@example.com', email_verified: true };

describe('the account', () => {
  test('is that of a verified e-mail, or the one that a setting gives it', () => {
    expect(accountIn(ada, byEmail)).toEqual({ email: 'ada@example.com' });
    const shared: MappingSettings = { ...byEmail, oidcAccounts: [['ADA@example.com', 'team@example.com']] };
    expect(accountIn(ada, shared)).toEqual({ email: 'team@example.com' });
  });

  test('is never that of an e-mail which nobody verified, whatever the settings', () => {
    const shared: MappingSettings = { ...byEmail, oidcAccounts: [['ada@example.com', '7']] };
    for (const email_verified of [undefined, false, 'true', 1])
      for (const settings of [byEmail, shared])
        expect(() => accountIn({ ...ada, email_verified }, settings)).toThrow(
          expect.objectContaining({ refusal: 'unverifiedEmail' }),
        );
  });

  test('of another claim is one that a setting names, by e-mail or number', () => {
    expect(accountIn({ sub: 'one' }, bySubject)).toEqual({ email: 'Ada@example.com' });
    expect(accountIn({ sub: 'two' }, bySubject)).toEqual({ uid: 1380000007n });
    for (const sub of ['ONE', 'ada@example.com', '', undefined, ['one'], 1])
      expect(() => accountIn({ ...ada, sub }, bySubject)).toThrow(
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
    expect(rightsIn({ groups: ['keepers'] }, byEmail)).toBeUndefined();
  });

  test('are the first that match, in the order of the setting', () => {
    expect(rightsIn({ groups: ['staff', 'keepers'] }, settings)).toEqual({ isOperator: true });
    expect(rightsIn({ groups: 'guests' }, settings)).toEqual({ isOperator: false, accessKey: 'AK' });
    expect(rightsIn({ groups: ['staff'] }, settings)).toEqual({ isOperator: false });
  });

  test('are none for anything else', () => {
    for (const groups of [undefined, null, [], {}, ['Keepers'], 'keepers,staff', [['keepers']]])
      expect(() => rightsIn({ groups }, settings)).toThrow(expect.objectContaining({ refusal: 'noRights' }));
  });
});

test('a name for the log is a verified e-mail, and nothing else that was sent', () => {
  expect(nameIn(ada)).toBe('ada@example.com');
  expect(nameIn({ ...ada, email_verified: false })).toBeUndefined();
  expect(nameIn({ email: 'x\ny', email_verified: true })).toBeUndefined();
});
