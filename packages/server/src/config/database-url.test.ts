import { describe, expect, test } from 'vitest';
import { databaseUrl } from './database-url.ts';

describe('a database URL', () => {
  test.each([
    'postgres://u:p@a/name',
    'postgresql://u:p%40@a:5432,b:5433,[::1]:5434/name?target_session_attrs=read-write',
    'postgres://u:p@a,b/name?target_session_attrs=primary&sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgres://a/name?target_session_attrs=any',
    'postgres:///name?host=/run/postgresql',
    'postgres://u:p@a/name?sslmode=no-verify',
  ])('%s is taken as it is', (url) => expect(databaseUrl.read(url)).toBe(url));

  test.each([
    ['mysql://u:p@a/name', 'must be a URL, postgres://'],
    ['a,b', 'must be a URL, postgres://'],
    ['postgres://u:p@a:port,b/name', 'must be a URL, postgres://'],
    ['postgres://u:p@a,/name', 'empty host'],
    ['postgres://u:p@a,b/name?target_session_attrs=prefer-standby', 'must be read-write or primary'],
    ['postgres://u:p@a/name?target_session_attrs=read-only', 'reads nothing from a standby'],
    ['postgres://u:p@a/name?sslmode=allow', 'sslmode must be verify-full'],
    ['postgres://u:p@/name?host=a,b', 'must be a URL'],
    ['postgres:///name?host=a,b', "host can't be a list"],
  ])('%s is refused, and what to do is said', (url, said) =>
    expect(() => databaseUrl.read(url)).toThrow(said),
  );
});
