/** The console's cookies: out of reach for scripts, and sent to this host by its own pages only. */
import type { BegunSession } from '../../identity/accounts/index.ts';
import type { Call } from '../../platform/web/index.ts';

export interface CookieKind {
  readonly name: string;
  /** `Lax`: also sent when a link of another site leads here. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** Browsers accept the prefix only over TLS, for this host alone and for all of its paths. */
const SECURE_PREFIX = '__Host-';
const SESSION: CookieKind = { name: 'millpond-session', sameSite: 'Strict' };

export function sessionCookie(call: Call): string | undefined {
  return cookieOf(call, SESSION);
}

export function setSessionCookie(call: Call, { cookie, lifeSeconds }: BegunSession): void {
  setCookie(call, SESSION, cookie, lifeSeconds);
}

export function clearSessionCookie(call: Call): void {
  clearCookie(call, SESSION);
}

export function cookieOf(call: Call, kind: CookieKind): string | undefined {
  const name = nameFor(call, kind);
  for (const part of (call.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

export function setCookie(call: Call, kind: CookieKind, value: string, seconds: number): void {
  const secure = call.peer.secure ? '; Secure' : '';
  const attributes = `Path=/; HttpOnly; SameSite=${kind.sameSite}; Max-Age=${seconds}${secure}`;
  call.response.appendHeader('set-cookie', `${nameFor(call, kind)}=${value}; ${attributes}`);
}

export function clearCookie(call: Call, kind: CookieKind): void {
  setCookie(call, kind, '', 0);
}

/** Over TLS, a cookie that could have been set without it is not looked at. Without TLS: a developer's own machine. */
function nameFor(call: Call, { name }: CookieKind): string {
  return call.peer.secure ? SECURE_PREFIX + name : name;
}
