import { expect, test } from 'vitest';
import { hostsOf } from './db.hosts.ts';

test('each host of a list gets the rest of the URL', () => {
  const hosts = hostsOf('postgres://u:p%2C@a:1,[::1]:2/name?application_name=x&target_session_attrs=primary');
  expect(hosts).toEqual([
    { url: 'postgres://u:p%2C@a:1/name?application_name=x', name: 'a:1', mayBeStandby: false },
    { url: 'postgres://u:p%2C@[::1]:2/name?application_name=x', name: '[::1]:2', mayBeStandby: false },
  ]);
});

test.each([
  ['postgres://u:p@a/name', 'postgres://u:p@a/name'],
  ['postgres://a/name?target_session_attrs=any', 'postgres://a/name'],
  ['postgres:///name?host=/run/postgresql', 'postgres:///name?host=%2Frun%2Fpostgresql'],
  ['postgres://a/name?sslmode=require', 'postgres://a/name?sslmode=verify-full'],
  ['postgres://a/name?sslmode=verify-ca&sslrootcert=system', 'postgres://a/name?sslmode=verify-full'],
  ['postgres://a/name?sslmode=no-verify', 'postgres://a/name?sslmode=no-verify'],
])('%s: the driver gets %s', (url, driver) => expect(hostsOf(url).map((each) => each.url)).toEqual([driver]));
