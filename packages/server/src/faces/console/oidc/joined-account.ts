/**
 * The account of a person. By the claim of another name than the e-mail, it is what the settings assign, each time. By e-mail, a person
 * joins an account once, by a verified address, and is known by issuer and subject from then on: a changed address changes no account.
 */
import { Fault } from '@millpond/protocol';
import type { Accounts, Identities } from '../../../identity/accounts/index.ts';
import { type AccountRef, accountByClaim, listedAccount, type MappingSettings } from './claim-mapping.ts';
import { type ProvidedClaims, verifiedEmailIn } from './oidc.claims.ts';
import { SignInError } from './sign-in-error.ts';

export interface JoinedAccountDeps {
  readonly accounts: Accounts;
  readonly identities: Identities;
}

type Account = Awaited<ReturnType<Accounts['byUid']>>;
type Origin = Parameters<Identities['join']>[3];

export async function accountOf(
  claims: ProvidedClaims,
  settings: MappingSettings,
  origin: Origin,
  deps: JoinedAccountDeps,
): Promise<Account> {
  if (settings.oidcAccountClaim !== 'email') return assigned(accountByClaim(claims, settings), deps.accounts);
  const address = verifiedEmailIn(claims);
  const listed = address === undefined ? undefined : listedAccount(address, settings);
  const joined = await deps.identities.find(claims);
  if (joined === undefined) return join(claims, { address, listed }, origin, deps);
  if (listed !== undefined) {
    const account = await existing(listed, deps.accounts);
    if (account.uid !== joined.uid)
      throw new SignInError('otherAccount', `the person has joined account ${joined.uid}`);
    return account;
  }
  if (joined.is_listed)
    throw address === undefined
      ? new SignInError('unverifiedEmail')
      : new SignInError('unknownAccount', `MILLPOND_OIDC_ACCOUNTS no longer has an account for ${address}`);
  return existing({ uid: joined.uid }, deps.accounts);
}

/** A setting that names an e-mail does not mean the account of a tenant who registered it first. */
async function assigned(named: AccountRef, accounts: Accounts): Promise<Account> {
  const account = await existing(named, accounts);
  if ('email' in named && account.parent_uid !== 0n) throw notInvited(account);
  return account;
}

async function join(
  claims: ProvidedClaims,
  { address, listed }: { readonly address: string | undefined; readonly listed: AccountRef | undefined },
  origin: Origin,
  { accounts, identities }: JoinedAccountDeps,
): Promise<Account> {
  if (address === undefined)
    throw new SignInError(
      'unverifiedEmail',
      'the provider sent no address, or did not say that it is verified',
    );
  const account = await existing(listed ?? { email: address }, accounts);
  const isListed = listed !== undefined;
  const isCertain = listed !== undefined && 'uid' in listed;
  const outcome = await identities.join(claims, account, { address, isListed, isCertain }, origin);
  if (outcome === 'others') throw new SignInError('otherPerson', `another subject has joined by ${address}`);
  if (outcome === 'notInvited') throw notInvited(account);
  return account;
}

function notInvited({ uid, parent_uid }: Account): SignInError {
  return new SignInError(
    'notInvited',
    `account ${uid} was made by account ${parent_uid}: invite to it, or name it by its uid in MILLPOND_OIDC_ACCOUNTS`,
  );
}

async function existing(named: AccountRef, accounts: Accounts): Promise<Account> {
  try {
    return await ('uid' in named ? accounts.byUid(named.uid) : accounts.byEmail(named.email));
  } catch (error) {
    if (!(error instanceof Fault && error.fault === 'recordNotFound')) throw error;
    throw new SignInError(
      'unknownAccount',
      'uid' in named ? `no account ${named.uid}` : `no account of ${named.email}`,
    );
  }
}
