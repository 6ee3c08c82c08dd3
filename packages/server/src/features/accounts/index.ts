/** Accounts, access keys, tokens, the audit log, and who signed a call. */

export { AccountCalls } from './account-call.ts';
export type { Actor } from './account-changes.ts';
export { accountRoutes } from './account-routes.ts';
export { AccountStates } from './account-states.ts';
export { Audit } from './audit-store.ts';
export { type Authenticate, type AuthenticateParts, authenticators, type Principal } from './authenticate.ts';
export { type ExplainSignature, signatureExplainer } from './explain.ts';
export { keyRoutes } from './key-routes.ts';
export { KeyStore } from './key-store.ts';
export { type AccessKey, Keyring } from './keyring.ts';
export { Keys, lostMasterKeys, type NewKey } from './keys.ts';
export { Login } from './login.ts';
export { OwnKeys } from './own-keys.ts';
export { Passwords } from './passwords.ts';
export { Accounts } from './service.ts';
export { SigningKeys } from './signing-keys.ts';
export { AccountStore } from './store.ts';
export { tokenRoutes } from './token-routes.ts';
export { TokenStore } from './token-store.ts';
export { Tokens } from './tokens.ts';
export { webhookSecretRoutes } from './webhook-secret-routes.ts';
export { WebhookSecretStore } from './webhook-secret-store.ts';
export { WebhookSecrets } from './webhook-secrets.ts';
