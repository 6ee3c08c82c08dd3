import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '@millpond/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLocalCertificate } from './dev/certificate.ts';
import { endpointOf } from './endpoint.ts';

let folder: string;
let tls: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mp-endpoint-'));
  const { certificate, key } = makeLocalCertificate();
  tls = {
    MILLPOND_TLS_CERT: path.join(folder, 'certificate.pem'),
    MILLPOND_TLS_KEY: path.join(folder, 'key.pem'),
  };
  writeFileSync(tls.MILLPOND_TLS_CERT ?? '', certificate);
  writeFileSync(tls.MILLPOND_TLS_KEY ?? '', key);
});
afterAll(() => rm(folder, { recursive: true }));

const found = (settings: Record<string, string>) =>
  endpointOf(
    readConfig({
      MILLPOND_CONTROL_DB: 'postgres://x/x',
      MILLPOND_REGION_DB: 'postgres://x/x',
      MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32, 1).toString('base64')}`,
      MILLPOND_BLOBS: 'disk',
      MILLPOND_DISK_ROOT: '/x',
      ...settings,
    }),
  );

const overTls = (url: string) => ['api', 'auth', 'live'].map((role) => `${role}=${url}`).join(',');

describe('where commands reach a server of this machine', () => {
  test('is where it listens, whatever the address means', () => {
    expect(found({ MILLPOND_LISTEN: 'http://0.0.0.0:81' })).toEqual({ endpoint: 'http://127.0.0.1:81' });
    expect(found({ MILLPOND_LISTEN: 'http://[::]:81' })).toEqual({ endpoint: 'http://[::1]:81' });
  });

  test('is a secure listener for calls that need one, with the certificate to trust', () => {
    const listen = 'http://127.0.0.1:81,https://127.0.0.1:82';
    expect(found({ MILLPOND_LISTEN: listen, ...tls })).toEqual({
      endpoint: `http://127.0.0.1:81,${overTls('https://127.0.0.1:82')}`,
      certificate: tls.MILLPOND_TLS_CERT,
    });
    expect(found({ MILLPOND_LISTEN: 'https://127.0.0.1:82', ...tls })).toEqual({
      endpoint: 'https://127.0.0.1:82',
      certificate: tls.MILLPOND_TLS_CERT,
    });
  });

  test('is not one whose certificate is for other names, or can’t be read', () => {
    const elsewhere = { MILLPOND_LISTEN: 'http://127.0.0.1:81,https://10.1.2.3:82', ...tls };
    expect(found(elsewhere)).toEqual({ endpoint: 'http://127.0.0.1:81' });
    const unreadable = { ...tls, MILLPOND_TLS_CERT: '/none', MILLPOND_LISTEN: 'https://127.0.0.1:82' };
    expect(found(unreadable)).toBeUndefined();
  });

  test('is not told where hosts have names, or a proxy stands in front', () => {
    expect(found({ MILLPOND_TRUSTED_PROXIES: '10.0.0.1' })).toBeUndefined();
  });
});
