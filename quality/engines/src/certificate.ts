// A self-signed certificate for this machine, so that TLS-only calls can also be made to a developer's server. Clients
// trust it by its file.

import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLocalCertificate } from 'millpond/dev/certificate';
import { run } from './run.ts';

export type CertificateFiles = { certificate: string; key: string };

// The longest that browsers accept.
const days = 397;
const renewedBeforeMs = 30 * 86_400_000;

export function ensureCertificate(folder: string): CertificateFiles {
  const files = certificateFiles(folder);
  if (!isGood(files.certificate)) makeCertificate(folder);
  return files;
}

export function makeCertificate(folder: string, name?: string): CertificateFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = certificateFiles(folder);
  const { certificate, key } = makeLocalCertificate(new Date(), name);
  writeFileSync(`${files.key}.new`, key, { mode: 0o600 });
  writeFileSync(`${files.certificate}.new`, certificate);
  renameSync(`${files.key}.new`, files.key);
  renameSync(`${files.certificate}.new`, files.certificate);
  return files;
}

export type SignedFiles = CertificateFiles & { authority: string };

// An authority of its own, and a certificate from it for one name.
export async function makeAuthority(folder: string, name: string): Promise<SignedFiles> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { certificate, key } = certificateFiles(folder);
  const [authority, authorityKey] = [join(folder, 'authority.pem'), join(folder, 'authority-key.pem')];
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const lasting = ['-days', String(days)];
  await run('openssl', [
    ...make,
    ...lasting,
    '-subj',
    '/CN=An authority',
    '-keyout',
    authorityKey,
    '-out',
    authority,
  ]);
  await run('openssl', [
    ...make,
    ...lasting,
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
    '-CA',
    authority,
    '-CAkey',
    authorityKey,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  return { certificate, key, authority };
}

function certificateFiles(folder: string): CertificateFiles {
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
}

function isGood(file: string): boolean {
  try {
    const { validTo } = new X509Certificate(readFileSync(file));
    return Date.parse(validTo) - Date.now() > renewedBeforeMs;
  } catch {
    return false;
  }
}
