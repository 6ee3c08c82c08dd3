/** Where an answer redirects us, checked like a URL that a user gave. Only for requests without a body. */
import { OutboundFault } from './faults.ts';
import { parseTarget, type Target, type TargetRules } from './target.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Throws OutboundFault: 'protocol' without a usable Location, 'blocked' if the rules refuse it. */
export function redirectTarget(
  from: Target,
  location: string | string[] | undefined,
  rules: TargetRules,
): Target {
  const url = typeof location === 'string' ? URL.parse(location, from.origin + from.path) : null;
  if (url === null) throw new OutboundFault('protocol', 'a redirect has no valid Location');
  const target = parseTarget(url.href, rules);
  if (from.secure && !target.secure) {
    const blocked = { host: target.hostname, address: undefined, reason: 'downgrade' };
    throw new OutboundFault('blocked', 'a redirect leads from https to http', { blocked });
  }
  return target;
}
