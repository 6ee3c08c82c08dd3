/**
 * Headers of answers on the console's own origin whose content may be anybody's: the browser must not run it, guess what it is,
 * show it inside another page, or keep it for others. They win over what is stored with an object.
 */

const SHARED = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;

/** For everything but documents of this one type, which browsers show by programs of their own, apart from the page's origin. */
const FRAMED_TYPE = 'application/pdf';

export function untrustedContentHeaders(type?: string): Record<string, string> {
  if (type !== FRAMED_TYPE)
    return {
      ...SHARED,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-frame-options': 'DENY',
    };
  return {
    ...SHARED,
    // A sandbox would keep the browser's own program from showing it.
    'content-security-policy':
      "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    'x-frame-options': 'SAMEORIGIN',
  };
}
