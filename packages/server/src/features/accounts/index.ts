/** Accounts, access keys, and who signed a call. */
export { type Authenticate, authenticator, type Principal } from './authenticate.ts';
export { type AccessKey, Keyring } from './keyring.ts';
export { Accounts, type NewKey } from './service.ts';
export { AccountStore } from './store.ts';
