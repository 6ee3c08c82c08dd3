/**
 * Certificates that no public authority signed, for the programs of a shell: Node takes one file of them by NODE_EXTRA_CA_CERTS,
 * and a shell may have one already, for a proxy of its company say. Then both go into one file.
 */

import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '@millpond/protocol';
import { cacheFolder } from './dev/cache.ts';
import { LOCAL_NAME } from './dev/certificate.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;
const PREFIX = 'trusted-';
/** Certificates for one machine are made anew at many starts; no shell stays open so long. */
const FORGOTTEN_MS = 30 * DAY_MS;

/** The file to name: that of the certificate, or one that also has what `before` names. */
export function trusting(certificate: string, before: string | undefined): string {
  if (before === undefined || before === '' || path.resolve(before) === path.resolve(certificate))
    return certificate;
  const others = certificatesIn(before).filter((block) => !isLocal(block));
  if (others.length === 0) return certificate;
  return keep([...others, ...certificatesIn(certificate)].join(''));
}

function certificatesIn(file: string): string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(BLOCK)].map(([block]) => `${block.trimEnd()}\n`);
  } catch {
    // Node too does without a file that can't be read.
    return [];
  }
}

/** Made for this machine, by an earlier run: it is of no use beside the new one. */
function isLocal(block: string): boolean {
  try {
    return new X509Certificate(block).subject === `CN=${LOCAL_NAME}`;
  } catch {
    return false;
  }
}

/** Named by its content, in a folder that outlives the run: a shell that lost the file would lose what it had before, too. */
function keep(text: string): string {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    // Another command may have removed it since.
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (name.startsWith(PREFIX) && Date.now() - since > FORGOTTEN_MS) rmSync(file, { force: true });
  }
  const file = path.join(
    folder,
    `${PREFIX}${createHash('sha256').update(text).digest('hex').slice(0, 32)}.pem`,
  );
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
