/** The secrets of one `millpond dev`, made at its first start: a master key, a certificate, and the accounts' keys. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { SeededAccount } from './apply-seed.ts';
import { makeLocalCertificate } from './certificate.ts';
import type { StateFolder } from './folders.ts';
import { newMasterKey } from './settings.ts';

export interface Secrets {
  readonly masterKey: string;
  /** PEM. */
  readonly certificate: string;
  readonly accounts: readonly SeededAccount[];
}

type StoredSecrets = Omit<Secrets, 'certificate'>;

export function ensureSecrets(state: StateFolder): Secrets {
  if (!existsSync(state.certificate)) {
    const { certificate, key } = makeLocalCertificate();
    writeFileSync(state.certificateKey, key, { mode: 0o600 });
    writeFileSync(state.certificate, certificate);
  }
  const storedSecrets = existsSync(state.secrets)
    ? (JSON.parse(readFileSync(state.secrets, 'utf8')) as StoredSecrets)
    : { masterKey: newMasterKey(), accounts: [] };
  return { ...storedSecrets, certificate: readFileSync(state.certificate, 'utf8') };
}

/** Written last: if it is missing, the first start did not finish. */
export function rememberAccounts(
  state: StateFolder,
  { masterKey }: Secrets,
  accounts: readonly SeededAccount[],
): void {
  const storedSecrets: StoredSecrets = { masterKey, accounts };
  writeFileSync(state.secrets, `${JSON.stringify(storedSecrets, null, 2)}\n`, { mode: 0o600 });
}
