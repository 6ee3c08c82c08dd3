/** TLS for test deployments: a temporary certificate for this machine, and servers that use it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate as makeFiles } from '@millpond/engines';
import type { Deployment, ServerProcess } from './deployment.ts';
import { freePort } from './ports.ts';

export interface Certificate {
  /** PEM, for clients to trust: it is self-signed. */
  readonly text: string;
  /** PEM, for servers inside the test. */
  readonly keys: { readonly key: string; readonly cert: string };
  /** Settings that make a server use it. */
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Valid for 127.0.0.1 and localhost. */
export async function makeCertificate(name?: string): Promise<Certificate> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-tls-'));
  const { certificate, key } = makeFiles(folder, name);
  const keys = { key: await readFile(key, 'utf8'), cert: await readFile(certificate, 'utf8') };
  return {
    text: keys.cert,
    keys,
    settings: { MILLPOND_TLS_CERT: certificate, MILLPOND_TLS_KEY: key },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface SecureServer extends ServerProcess {
  /** `https://127.0.0.1:port`; the plain one is `url`. */
  readonly secureUrl: string;
}

/** Starts a server that answers over both plain HTTP and TLS. `listeners`: further ones, as in MILLPOND_LISTEN. */
export async function startSecure(
  deployment: Deployment,
  certificate: Certificate,
  settings: Readonly<Record<string, string>> = {},
  listeners: readonly string[] = [],
): Promise<SecureServer> {
  const secureUrl = `https://127.0.0.1:${await freePort()}`;
  const listen = [`http://127.0.0.1:${await freePort()}`, secureUrl, ...listeners].join(',');
  const server = await deployment.start({
    settings: { ...certificate.settings, MILLPOND_LISTEN: listen, ...settings },
  });
  return { ...server, secureUrl };
}
