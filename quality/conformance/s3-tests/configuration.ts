/** The suite's configuration file: the server, and three accounts that have nothing to do with each other. */
import type { Account } from '@millpond/testing';

export interface Tested {
  readonly url: string;
  readonly region: string;
  readonly main: Account;
  readonly other: Account;
  readonly third: Account;
}

type Section = Readonly<Record<string, string | number | boolean>>;

export function configurationFile({ url, region, main, other, third }: Tested): string {
  const { hostname, port, protocol } = new URL(url);
  const sections: Readonly<Record<string, Section>> = {
    DEFAULT: { host: hostname, port, is_secure: protocol === 'https:', ssl_verify: false },
    fixtures: {
      'bucket prefix': 'mp-{random}-',
      'iam name prefix': 's3-tests-',
      'iam path prefix': '/s3-tests/',
    },
    's3 main': { ...accountSection(main), api_name: region, lc_debug_interval: 1 },
    's3 alt': accountSection(other),
    's3 tenant': { ...accountSection(third), tenant: 'x' },
    // These belong to IAM, which S3 is not; the suite wants them all the same, and calls it after every test.
    iam: NOBODY,
    'iam root': NOBODY,
    'iam alt root': NOBODY,
  };
  return Object.entries(sections)
    .map(([name, section]) => `[${name}]\n${linesOf(section)}`)
    .join('\n');
}

const NOBODY = {
  display_name: 'nobody',
  user_id: 'nobody',
  email: 'nobody@example.com',
  access_key: 'nobody',
  secret_key: 'nobody',
};

/** The suite compares id and name with what the server says of an owner. */
function accountSection({ uid, email, accessKey, secretKey }: Account): Section {
  return { display_name: email, user_id: uid, email, access_key: accessKey, secret_key: secretKey };
}

function linesOf(section: Section): string {
  return Object.entries(section)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}
