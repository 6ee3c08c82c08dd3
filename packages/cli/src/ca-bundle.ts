/**
 * Certificates that no public authority signed, for the programs of a shell. Node takes one file of them in
 * NODE_EXTRA_CA_CERTS, and a shell may already have one, say for a company proxy. Then both go into one file.
 */

import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '@millpond/protocol';
import { cacheFolder } from './dev/cache.ts';
import { LOCAL_NAME } from './dev/certificate.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;
const PREFIX = 'trusted-';
/** Many starts make a new certificate for this machine; no shell stays open this long. */
const FORGOTTEN_MS = 30 * DAY_MS;

/** The file to name: the certificate's own, or one that also contains what `before` names. */
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
    // Node, too, ignores a file that it can't read.
    return [];
  }
}

/** Made for this machine by an earlier run: of no use beside the new one. */
function isLocal(block: string): boolean {
  try {
    return new X509Certificate(block).subject === `CN=${LOCAL_NAME}`;
  } catch {
    return false;
  }
}

/**
 * Named by its content, in a folder that outlives the run: a shell that lost the file would also lose the certificates
 * it had before.
 */
function keep(text: string): string {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    // Another command may have removed it in between.
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
