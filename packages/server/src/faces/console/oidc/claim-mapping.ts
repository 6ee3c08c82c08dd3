/**
 * From a provider's claims to an account and rights, as the settings say. What no setting names gives nothing: a claim that people
 * choose themselves must not choose their account.
 */
import { foldEmail } from '@millpond/protocol';
import { claimIn, type ProvidedClaims, textsIn, verifiedEmailIn } from './oidc.claims.ts';
import { SignInError } from './sign-in-error.ts';

/** Settings by name. */
export interface MappingSettings {
  readonly oidcAccountClaim: string;
  readonly oidcAccounts: readonly (readonly [value: string, account: string])[];
  readonly oidcRightsClaim: string | undefined;
  readonly oidcRights: readonly (readonly [value: string, right: string])[];
}

export type AccountRef = { readonly email: string } | { readonly uid: bigint };

export interface Rights {
  readonly isOperator: boolean;
  /** The session has the rights of this key only. */
  readonly accessKey?: string;
}

/** The account that a setting assigns to a value of the claim; of an e-mail, however it is written. */
export function listedAccount(value: string, settings: MappingSettings): AccountRef | undefined {
  const { oidcAccountClaim, oidcAccounts } = settings;
  const form = oidcAccountClaim === 'email' ? foldEmail : String;
  const named = oidcAccounts.find(([each]) => form(each) === form(value))?.[1];
  if (named === undefined) return undefined;
  return /^\d{1,18}$/.test(named) ? { uid: BigInt(named) } : { email: named };
}

/** Finds the account by a claim other than the e-mail: only what a setting assigns. */
export function accountByClaim(claims: ProvidedClaims, settings: MappingSettings): AccountRef {
  const value = claimIn(claims, settings.oidcAccountClaim);
  const listed = typeof value === 'string' ? listedAccount(value, settings) : undefined;
  if (listed === undefined)
    throw new SignInError(
      'unknownAccount',
      `MILLPOND_OIDC_ACCOUNTS has no account for this ${settings.oidcAccountClaim}`,
    );
  return listed;
}

/** Undefined: what the account itself has. */
export function rightsFromClaims(claims: ProvidedClaims, settings: MappingSettings): Rights | undefined {
  const { oidcRightsClaim: claim, oidcRights } = settings;
  if (claim === undefined) return undefined;
  const held = new Set(textsIn(claims, claim));
  const right = oidcRights.find(([value]) => held.has(value))?.[1];
  if (right === undefined)
    throw new SignInError('noRights', `MILLPOND_OIDC_RIGHTS has no right for these ${claim}`);
  if (right.startsWith('key:')) return { isOperator: false, accessKey: right.slice('key:'.length) };
  return { isOperator: right === 'operator' };
}

/** For the audit log: who it was, as far as the provider knows. */
export function nameFromClaims(claims: ProvidedClaims | undefined): string | undefined {
  return claims && verifiedEmailIn(claims);
}
