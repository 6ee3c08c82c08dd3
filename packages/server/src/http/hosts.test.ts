import { describe, expect, test } from 'vitest';
import { HostDirectory } from './hosts.ts';

const configured = new HostDirectory(
  [
    { role: 'rs', host: 'rs.example.com' },
    { role: 'io', host: 'shared.example.com' },
    { role: 'up', host: 'shared.example.com' },
    { role: 'api', host: 'api.example.com:8443' },
  ],
  'DL.example.com',
);

describe('with configured hosts', () => {
  test.each([
    ['rs.example.com', ['rs']],
    ['RS.Example.com', ['rs']],
    ['rs.example.com:8080', ['rs']],
    ['shared.example.com', ['io', 'up']],
    ['api.example.com:8443', ['api']],
  ])('%s reaches %j', (host, roles) => {
    const meaning = configured.resolve(host);
    expect(meaning.kind === 'roles' && [...meaning.roles]).toEqual(roles);
  });

  test.each([
    ['photos.dl.example.com', 'photos'],
    ['PHOTOS.dl.example.com:8080', 'photos'],
  ])('%s is the bucket %s', (host, bucket) => {
    expect(configured.resolve(host)).toEqual({ kind: 'bucket', bucket });
  });

  test.each([
    ['photos.example.org', 'photos.example.org'],
    ['photos.example.org:81', 'photos.example.org'],
    ['a.b.dl.example.com', 'a.b.dl.example.com'],
    ['dl.example.com', 'dl.example.com'],
    // With its port in the configuration, the name alone is another host.
    ['api.example.com', 'api.example.com'],
  ])('%s may be bound to a bucket', (host, domain) => {
    expect(configured.resolve(host)).toEqual({ kind: 'domain', domain });
  });

  test.each(['', 'a/b', '..', 'a?b.dl.example.com', '%2f.dl.example.com', 'x y', 'é.dl.example.com'])(
    '%j is no name that could be a path',
    (host) => {
      expect(configured.resolve(host)).toEqual({ kind: 'domain', domain: 'invalid' });
    },
  );

  test.each(['127.0.0.1', '127.0.0.1:8100', '[::1]', '[::1]:8100', 'localhost', 'localhost:8100'])(
    '%s reaches whatever the listener carries',
    (host) => {
      expect(configured.resolve(host)).toEqual({ kind: 'any' });
    },
  );
});

describe('without configured hosts', () => {
  test('every name reaches whatever the listener carries', () => {
    const open = new HostDirectory([], undefined);
    for (const host of ['anything.example', '', 'x/y']) expect(open.resolve(host)).toEqual({ kind: 'any' });
  });

  test('a download suffix still means buckets', () => {
    const open = new HostDirectory([], 'dl.example.com');
    expect(open.resolve('b-1.dl.example.com')).toEqual({ kind: 'bucket', bucket: 'b-1' });
    expect(open.resolve('a.b.dl.example.com')).toEqual({ kind: 'any' });
  });

  test('a suffix may have a port of its own', () => {
    const open = new HostDirectory([], 'localhost:8100');
    expect(open.resolve('b-1.localhost:8100')).toEqual({ kind: 'bucket', bucket: 'b-1' });
  });
});

describe('S3', () => {
  const hosts = new HostDirectory(
    [
      { role: 's3', host: 's3.example.com' },
      { role: 'rs', host: 'rs.example.com' },
    ],
    'dl.example.com',
  );

  test('has its host to itself, in both styles', () => {
    expect(hosts.resolve('S3.example.com:443')).toEqual({ kind: 's3', bucket: undefined });
    expect(hosts.resolve('b-1.s3.example.com')).toEqual({ kind: 's3', bucket: 'b-1' });
    expect(hosts.resolve('rs.example.com').kind).toBe('roles');
    expect(hosts.resolve('b-1.dl.example.com').kind).toBe('bucket');
    expect(hosts.resolve('127.0.0.1')).toEqual({ kind: 'any' });
  });

  test('is meant by every host of a listener that has no other role', () => {
    for (const host of ['127.0.0.1:9000', 'localhost', 'anything.example', 'rs.example.com'])
      expect(hosts.resolve(host, 's3')).toEqual({ kind: 's3', bucket: undefined });
    expect(hosts.resolve('b-1.localhost:9000', 's3')).toEqual({ kind: 's3', bucket: 'b-1' });
    expect(hosts.resolve('b-1.s3.example.com', 's3')).toEqual({ kind: 's3', bucket: 'b-1' });
  });
});

describe('the console', () => {
  const hosts = new HostDirectory(
    [
      { role: 'console', host: 'console.example.com' },
      { role: 'console', host: 'both.example.com' },
      { role: 'rs', host: 'both.example.com' },
      { role: 's3', host: 's3.example.com' },
    ],
    'dl.example.com',
  );

  test('has its host to itself, and no other', () => {
    expect(hosts.resolve('Console.example.com:443')).toEqual({ kind: 'console' });
    for (const host of [
      '127.0.0.1',
      'localhost',
      'x.console.example.com',
      'both.example.com',
      's3.example.com',
    ])
      expect(hosts.resolve(host).kind).not.toBe('console');
    expect(hosts.resolve('console.example.com', 's3').kind).toBe('s3');
  });

  test('is meant by every host of a listener that has no other role', () => {
    for (const host of ['127.0.0.1:8200', 'localhost', 'b.dl.example.com', 'b.s3.example.com'])
      expect(hosts.resolve(host, 'console')).toEqual({ kind: 'console' });
  });
});
