/** The console's cookies: out of reach for scripts, and sent to this host by its own pages only. */
import type { CreatedSession } from '../../identity/accounts/index.ts';
import type { RequestContext } from '../../platform/web/index.ts';

export interface CookieKind {
  readonly name: string;
  /** `Lax`: also sent when a link of another site leads here. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** Browsers accept the prefix only over TLS, for this host alone and for all of its paths. */
const SECURE_PREFIX = '__Host-';
const SESSION: CookieKind = { name: 'millpond-session', sameSite: 'Strict' };

export function sessionCookie(context: RequestContext): string | undefined {
  return cookieOf(context, SESSION);
}

export function setSessionCookie(context: RequestContext, { cookie, lifeSeconds }: CreatedSession): void {
  setCookie(context, SESSION, cookie, lifeSeconds);
}

export function clearSessionCookie(context: RequestContext): void {
  clearCookie(context, SESSION);
}

export function cookieOf(context: RequestContext, kind: CookieKind): string | undefined {
  const name = nameFor(context, kind);
  for (const part of (context.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

export function setCookie(context: RequestContext, kind: CookieKind, value: string, seconds: number): void {
  const secure = context.peer.secure ? '; Secure' : '';
  const attributes = `Path=/; HttpOnly; SameSite=${kind.sameSite}; Max-Age=${seconds}${secure}`;
  context.response.appendHeader('set-cookie', `${nameFor(context, kind)}=${value}; ${attributes}`);
}

export function clearCookie(context: RequestContext, kind: CookieKind): void {
  setCookie(context, kind, '', 0);
}

/** Over TLS, a cookie that could have been set without it is not looked at. Without TLS: a developer's own machine. */
function nameFor(context: RequestContext, { name }: CookieKind): string {
  return context.peer.secure ? SECURE_PREFIX + name : name;
}
