/** Accounts, access keys, tokens, the audit log, and who signed a call. */

export { AccountCalls } from './account-call.ts';
export type { Actor } from './account-changes.ts';
export { accountRoutes } from './account-routes.ts';
export { AccountStates } from './account-states.ts';
export { Audit } from './audit-store.ts';
export { type Authenticate, type AuthenticateParts, authenticators, type Principal } from './authenticate.ts';
export { type ExplainSignature, signatureExplainer } from './explain.ts';
export { keyRoutes } from './keys/key-routes.ts';
export { KeyStore } from './keys/key-store.ts';
export { type AccessKey, Keyring } from './keys/keyring.ts';
export { Keys, lostMasterKeys, type NewKey } from './keys/keys.ts';
export { OwnKeys } from './keys/own-keys.ts';
export { SigningKeys } from './keys/signing-keys.ts';
export { Accounts } from './service.ts';
export { AccountStore } from './store.ts';
export { Login } from './tokens/login.ts';
export { Passwords } from './tokens/passwords.ts';
export { tokenRoutes } from './tokens/token-routes.ts';
export { TokenStore } from './tokens/token-store.ts';
export { Tokens } from './tokens/tokens.ts';
export { webhookSecretRoutes } from './webhook-secrets/webhook-secret-routes.ts';
export { WebhookSecretStore } from './webhook-secrets/webhook-secret-store.ts';
export { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';
