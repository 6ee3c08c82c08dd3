/** The cookie that holds a session: out of reach for scripts, and sent to this host by its own pages only. */
import type { Call } from '../../platform/web/index.ts';
import type { BegunSession } from '../accounts/index.ts';

/** Browsers accept the prefix only over TLS, for this host alone and for all of its paths. */
const SECURE_NAME = '__Host-millpond-session';
/** Where there is no TLS: a developer's own machine. */
const PLAIN_NAME = 'millpond-session';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

export function sessionCookie(call: Call): string | undefined {
  const name = nameFor(call);
  for (const part of (call.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

export function setSessionCookie(call: Call, { cookie, lifeSeconds }: BegunSession): void {
  write(call, cookie, lifeSeconds);
}

export function clearSessionCookie(call: Call): void {
  write(call, '', 0);
}

function write(call: Call, value: string, seconds: number): void {
  const secure = call.peer.secure ? '; Secure' : '';
  const text = `${nameFor(call)}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}${secure}`;
  call.response.appendHeader('set-cookie', text);
}

/** Over TLS, a cookie that could have been set without it is not looked at. */
function nameFor(call: Call): string {
  return call.peer.secure ? SECURE_NAME : PLAIN_NAME;
}
