/** Accounts, access keys, tokens, the audit log, and who signed a call. */
export type { Actor } from './account-changes.ts';
export type { AccountStates } from './account-states.ts';
export { type AccountsFeature, createAccounts } from './accounts.create.ts';
export type { Accounts } from './accounts.service.ts';
export type { Audit } from './audit.store.ts';
export type { Authenticate, Principal } from './authenticate.ts';
export type { Identities } from './identities/identities.ts';
export {
  assertWithinKeyLimits,
  CHECKED_IN_HANDLER,
  keyLimitViolation,
  type PermissionsForCall,
  requireAdminister,
} from './keys/key-limits.ts';
export type { AccessKey, Keyring } from './keys/keyring.ts';
export { lostMasterKeys } from './keys/keys.ts';
export type { SigningKeys } from './keys/signing-keys.ts';
export { isAllAccountsCall, operatorOf } from './operators.ts';
export type { SessionRow } from './sessions/sessions.store.ts';
export type { CreatedSession, Sessions, SigningIn } from './sessions/sessions.ts';
export type { ExplainSignature } from './signature-diagnostics.ts';
export { type Tenants, tenantOf } from './tenants.ts';
export type { Login } from './tokens/login.ts';
export type { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';
