/** What the console's page and its server say to each other about signing in. */
import type { dialects } from './dialect.ts';
import type { WireRecord } from './records/index.ts';

/** `GET /session`, and the answer to signing in. */
export interface SessionState {
  readonly id: string;
  /** Who signed in. */
  readonly email: string;
  readonly uid: number;
  /** 0: the account has no parent. */
  readonly parentUid: number;
  /** Whether it may act for other accounts. */
  readonly operator: boolean;
  readonly how: 'password' | 'oidc';
  /** The session has the rights of this key only. */
  readonly accessKey?: string;
  readonly limits?: WireRecord<'KeyLimits'>;
  readonly begun: string;
  /** When it ends unless it is used. */
  readonly expires: string;
  readonly version: string;
  readonly region: string;
  /** Which names headers and fields have. */
  readonly dialect: keyof typeof dialects;
  /** Unix milliseconds, by the clock that judges deadlines. */
  readonly now: number;
  /** Where each role is reached without the console: `{"io": "https://io.example.com"}`. */
  readonly hosts: Readonly<Record<string, string>>;
  /** `<bucket>.<suffix>` serves the bucket's objects. */
  readonly domainsSuffix?: string;
  /** What a camera's menu asks for; absent where devices can't register. */
  readonly sip?: {
    /** `host:port`; the host is 0.0.0.0 where the settings don't say how devices reach it. */
    readonly host: string;
    readonly serverId: string;
    readonly domain: string;
  };
}

/** `GET /session/options`: what can be known before signing in. */
export interface SessionOptions {
  readonly version: string;
  readonly region: string;
  /** Other providers to sign in with. */
  readonly oidc: readonly { readonly name: string; readonly label: string }[];
  /** Passwords may be sent without TLS: a developer's own machine. */
  readonly plainHttp: boolean;
}

/**
 * Why a sign-in by another provider failed, as the address of the sign-in page has it: a word of this list, which the page has a
 * sentence for. Anybody can make an address, so nothing else of it is shown.
 */
export const signInFailures = [
  'accessDenied',
  'accountDisabled',
  'notInvited',
  'keyDisabled',
  'noRights',
  'otherAccount',
  'otherPerson',
  'providerAway',
  'providerRefused',
  'unknownAccount',
  'unverifiedEmail',
  'wrongProvider',
  'wrongState',
] as const;
export type SignInFailure = (typeof signInFailures)[number];

/** Every request that changes something must have it: no page of another origin can add it. */
export const CONSOLE_HEADER = 'x-millpond-console';
/** The account that an operator acts for. */
export const CONSOLE_ACCOUNT_HEADER = 'x-millpond-account';
/** Set, to `none`, on a refusal for the lack of a session. */
export const CONSOLE_SESSION_HEADER = 'x-millpond-session';
