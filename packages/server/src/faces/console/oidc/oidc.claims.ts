/**
 * What a provider says about a person, in the ID token and beside it. A claim is read from the ID token if it is there. An address and
 * whether it is verified come from one of the two, never one from each.
 */
import { isEmailAddress } from '@millpond/protocol';

type Source = Readonly<Record<string, unknown>>;

export interface ProvidedClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly idToken: Source;
  readonly userInfo: Source;
}

export function claimIn({ idToken, userInfo }: ProvidedClaims, name: string): unknown {
  if (Object.hasOwn(idToken, name)) return idToken[name];
  return Object.hasOwn(userInfo, name) ? userInfo[name] : undefined;
}

/** Undefined: the provider says none, or not that it is verified. Only `true` says so, no text. */
export function verifiedEmailIn({ idToken, userInfo }: ProvidedClaims): string | undefined {
  const sources = [idToken, userInfo].filter((source) => Object.hasOwn(source, 'email'));
  const source = sources.find((each) => Object.hasOwn(each, 'email_verified')) ?? sources[0];
  const { email, email_verified: isVerified } = source ?? {};
  return isVerified === true && typeof email === 'string' && isEmailAddress(email) ? email : undefined;
}

/** A claim that is a text, or a list of texts, as a list; nothing of any other form. */
export function textsIn(claims: ProvidedClaims, name: string): readonly string[] {
  const value = claimIn(claims, name);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.every((each) => typeof each === 'string') ? values : [];
}
