import { expect, test } from 'vitest';
import { type RegionHostOptions, RegionHosts } from './region-hosts.ts';

const ALL = new Set(['up', 'io', 'rs', 'rsf', 'uc', 'api', 's3']);
const S3 = new Set(['s3']);
const asked = { host: 'proxy.example.com', secure: true };
const hostsOf = (options: Partial<RegionHostOptions>) =>
  new RegionHosts({ region: 'z0', hosts: [], listen: [], ...options });

test('S3 has no host where it has neither a listener nor a name of its own', () => {
  const hosts = hostsOf({ listen: [{ tls: false, port: 8100, roles: ALL }] });
  expect(hosts.of('s3', asked)).toEqual([]);
  expect(hosts.of('io', asked)).toEqual(['proxy.example.com']);
});

test('a listener of S3 is told with its port, and does not show the port of the others', () => {
  const hosts = hostsOf({
    listen: [
      { tls: false, port: 8100, roles: ALL },
      { tls: false, port: 9000, roles: S3 },
      { tls: true, port: 9443, roles: S3 },
    ],
  });
  expect(hosts.of('s3', asked)).toEqual(['proxy.example.com:9443']);
  expect(hosts.of('s3', { ...asked, secure: false })).toEqual(['proxy.example.com:9000']);
  expect(hosts.of('io', asked)).toEqual(['proxy.example.com']);
  expect(hosts.queryV4(asked)).toMatchObject({
    hosts: [{ s3: { domains: ['proxy.example.com:9443'], region_alias: 'z0' } }],
  });
});

test('a configured name of S3 is told as it is', () => {
  const hosts = hostsOf({ hosts: [{ role: 's3', host: 's3.example.com' }] });
  expect(hosts.of('s3', asked)).toEqual(['s3.example.com']);
});

test('the console has a listener or a name of its own, and tells the ports of the others', () => {
  const listen = [
    { tls: false, port: 8100, roles: new Set([...ALL, 'console']) },
    { tls: false, port: 8200, roles: new Set(['console']) },
  ];
  const hosts = hostsOf({ listen });
  expect(hosts.of('console', asked)).toEqual(['proxy.example.com:8200']);
  expect(hosts.of('io', { host: 'localhost:8200', secure: false, isApart: true })).toEqual([
    'localhost:8100',
  ]);
  expect(hosts.of('io', asked)).toEqual(['proxy.example.com']);
  expect(hostsOf({ listen: listen.slice(0, 1) }).of('console', asked)).toEqual([]);
});
