/** A browser that signs in at the console by a provider. */
import { type ConsoleAt, type ConsoleResponse, consoleSend } from '@millpond/testing';
import { expect } from 'vitest';
import type { ProvidedClaims, TestProvider } from './provider.ts';

export const OIDC_PATH = '/session/oidc/sso';

export interface Visit {
  readonly cookie: string;
  readonly back: string;
}

export function cookieIn(answer: ConsoleResponse, name: string): string {
  return new RegExp(`(?:^|, )(__Host-${name}=[^;]*)`).exec(answer.header('set-cookie') ?? '')?.[1] ?? '';
}

/** `at` and `provider` are asked for when they are needed: they exist only while tests run. */
export function visitor(at: () => ConsoleAt, provider: TestProvider) {
  /** As a browser that follows a link, and one that comes from another site. */
  const follow = (target: string, cookie = '', where: ConsoleAt = at()) =>
    consoleSend(where, target, {
      headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    });

  /** To the provider, and what the browser comes back with. */
  async function visit(claims: ProvidedClaims, to = '/', subject?: string): Promise<Visit> {
    const begun = await follow(`${OIDC_PATH}?to=${encodeURIComponent(to)}`);
    expect([begun.status, begun.header('cache-control')], begun.text()).toEqual([303, 'no-store']);
    const cookie = cookieIn(begun, 'millpond-oidc');
    const url = new URL(await provider.signIn(begun.header('location') ?? '', claims, subject));
    return { cookie, back: url.pathname + url.search };
  }

  async function signedIn(claims: ProvidedClaims, to?: string, subject?: string): Promise<ConsoleResponse> {
    const { cookie, back } = await visit(claims, to, subject);
    return follow(back, cookie);
  }

  /** The word that the sign-in page has a sentence for; nobody is signed in. */
  function failureIn(answer: ConsoleResponse): string | null {
    expect(cookieIn(answer, 'millpond-session')).toBe('');
    const { pathname, searchParams } = new URL(answer.header('location') ?? '', at().url);
    expect([answer.status, pathname]).toEqual([303, '/sign-in']);
    return searchParams.get('failed');
  }

  /** What the session is that an answer began; undefined if it has ended. */
  async function stateOf(answer: ConsoleResponse): Promise<Record<string, unknown> | undefined> {
    const cookie = cookieIn(answer, 'millpond-session');
    expect(cookie, `no session: ${answer.status} ${answer.header('location')}`).not.toBe('');
    const state = await consoleSend(at(), '/session', { headers: { cookie } });
    return state.status === 401 ? undefined : (state.json() as Record<string, unknown>);
  }

  return { follow, visit, signedIn, failureIn, stateOf };
}
