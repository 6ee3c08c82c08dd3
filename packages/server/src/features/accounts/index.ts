/** Accounts, access keys, tokens, the audit log, and who signed a call. */
export type { Actor } from './account-changes.ts';
export { type AccountRouteParts, accountRoutes } from './account-routes.ts';
export { AccountStates } from './account-states.ts';
export { Audit } from './audit-store.ts';
export { type Authenticate, type AuthenticateParts, authenticators, type Principal } from './authenticate.ts';
export { KeyStore } from './key-store.ts';
export { type AccessKey, Keyring } from './keyring.ts';
export { Keys, lostMasterKeys, type NewKey } from './keys.ts';
export { Login } from './login.ts';
export { Passwords } from './passwords.ts';
export { Accounts } from './service.ts';
export { SigningKeys } from './signing-keys.ts';
export { AccountStore } from './store.ts';
export { tokenRoutes } from './token-routes.ts';
export { TokenStore } from './token-store.ts';
export { Tokens } from './tokens.ts';
export { WebhookSecretStore } from './webhook-secret-store.ts';
export { WebhookSecrets } from './webhook-secrets.ts';
