/**
 * From a provider's claims to an account and rights, as the settings say. What no setting names gives nothing: a claim that people
 * choose themselves must not choose their account.
 */
import { isEmailAddress } from '@millpond/protocol';
import { Refusal } from './refusal.ts';

/** Settings by name. */
export interface MappingSettings {
  readonly oidcAccountClaim: string;
  readonly oidcAccounts: readonly (readonly [value: string, account: string])[];
  readonly oidcRightsClaim: string | undefined;
  readonly oidcRights: readonly (readonly [value: string, right: string])[];
}

export type Claims = Readonly<Record<string, unknown>>;

export type NamedAccount = { readonly email: string } | { readonly uid: bigint };

export interface Rights {
  readonly isOperator: boolean;
  /** The session has the rights of this key only. */
  readonly accessKey?: string;
}

export function accountIn(claims: Claims, settings: MappingSettings): NamedAccount {
  const { oidcAccountClaim: claim, oidcAccounts } = settings;
  const value = claims[claim];
  if (typeof value !== 'string' || value === '')
    throw new Refusal('unknownAccount', `the provider sent no ${claim}: ask it for the scope that has it`);
  // A provider that lets people change an e-mail without a proof would let them be anybody.
  if (claim === 'email' && claims.email_verified !== true)
    throw new Refusal('unverifiedEmail', 'the provider has not verified this e-mail address');
  const isSame = claim === 'email' ? sameEmail : (a: string, b: string) => a === b;
  const named = oidcAccounts.find(([each]) => isSame(each, value))?.[1];
  if (named !== undefined) return /^\d{1,18}$/.test(named) ? { uid: BigInt(named) } : { email: named };
  if (claim === 'email') return { email: value };
  throw new Refusal('unknownAccount', `no account is assigned to this ${claim}: ask an operator`);
}

/** Undefined: what the account itself has. */
export function rightsIn(claims: Claims, settings: MappingSettings): Rights | undefined {
  const { oidcRightsClaim: claim, oidcRights } = settings;
  if (claim === undefined) return undefined;
  const held = claims[claim];
  const values = new Set(Array.isArray(held) ? (held as unknown[]) : [held]);
  const right = oidcRights.find(([value]) => values.has(value))?.[1];
  if (right === undefined)
    throw new Refusal('noRights', `none of your ${claim} may sign in here: ask an operator`);
  if (right.startsWith('key:')) return { isOperator: false, accessKey: right.slice('key:'.length) };
  return { isOperator: right === 'operator' };
}

/** For the audit log: who it was, as far as the provider knows. */
export function nameIn(claims: Claims): string | undefined {
  const { email, email_verified } = claims;
  return email_verified === true && typeof email === 'string' && isEmailAddress(email) ? email : undefined;
}

function sameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
