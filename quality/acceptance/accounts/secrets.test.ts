/**
 * What a stolen backup would tell: nothing. With MILLPOND_TEST_SECRETS the number of planted secrets can be raised; five
 * belong to each child: its password, its secret key, two access tokens and a refresh token.
 */
import { dumpDatabase } from '@millpond/testing';
import { expect, test } from 'vitest';
import { logIn, newChild, refresh, tokensOf } from '../support/accounts/accounts.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const SECRETS = Number(process.env.MILLPOND_TEST_SECRETS ?? 100);
const PER_CHILD = 5;
const own = useSecureDeployment({});

test(`a dump of both databases holds none of ${SECRETS} secrets [secret-01 token-rule-09]`, {
  timeout: 300_000,
}, async () => {
  const parent = await own.deployment.createAccount();
  const secrets: string[] = [parent.secretKey];
  const addresses: string[] = [];
  while (secrets.length < SECRETS) {
    const child = await newChild(parent, own.at);
    const begun = await tokensOf(logIn(child, own.at));
    const renewed = await tokensOf(refresh(begun.refresh_token, own.at));
    secrets.push(
      child.password,
      child.secretKey,
      begun.access_token,
      begun.refresh_token,
      renewed.access_token,
    );
    addresses.push(child.email);
  }
  expect(new Set(secrets).size).toBe(1 + addresses.length * PER_CHILD);
  const {
    MILLPOND_CONTROL_DB = '',
    MILLPOND_REGION_DB = '',
    MILLPOND_MASTER_KEY = '',
  } = own.deployment.environment;
  const dump = (await Promise.all([MILLPOND_CONTROL_DB, MILLPOND_REGION_DB].map(dumpDatabase))).join('\n');
  // The dump is the right one: what is no secret stands in it.
  for (const address of addresses) expect(dump).toContain(address);
  const [, masterKey = ''] = MILLPOND_MASTER_KEY.split(':');
  const found = [...secrets, masterKey].filter((secret) =>
    formsOf(secret).some((form) => dump.includes(form)),
  );
  expect(found).toEqual([]);
});

/** As it is, as bytes in the dump's form, and encoded once more. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const decoded = Buffer.from(secret, 'base64url');
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    decoded.toString('hex'),
  ];
}
