/** For tests of other features: the parts of the accounts feature, on the test's own database. */
import type { Tenants } from './tenants.ts';

export { Accounts } from './accounts.service.ts';
export { AccountStore } from './accounts.store.ts';
export { Audit } from './audit.store.ts';
export { KeyStore } from './keys/key.store.ts';
export { Keyring } from './keys/keyring.ts';
export { Keys } from './keys/keys.ts';
export { SigningKeys } from './keys/signing-keys.ts';
export { Tenants } from './tenants.ts';
export { Passwords } from './tokens/passwords.ts';
export { TokenStore } from './tokens/token.store.ts';
export { WebhookSecretStore } from './webhook-secrets/webhook-secret.store.ts';
export { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';

/** Every account is a tenant of its own. */
export const noChildren: Pick<Tenants, 'known' | 'of' | 'turnOf'> = {
  known: (uid) => uid,
  of: async (uid) => uid,
  turnOf: String,
};
