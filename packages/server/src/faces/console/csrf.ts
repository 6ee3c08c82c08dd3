/**
 * Proof that a request comes from the console's own pages, besides the cookie: browsers say where a request comes from, and a
 * change needs a header that pages of other origins can't send. Other programs may leave out what only browsers send.
 */
import { CONSOLE_HEADER, Fault } from '@millpond/protocol';
import type { RequestContext } from '../../platform/web/index.ts';

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

export function isChange(context: RequestContext): boolean {
  return !READING.has(context.request.method);
}

export function assertNotCsrf(context: RequestContext): void {
  const site = context.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin')
    throw forged(`the browser says that the request comes from elsewhere: Sec-Fetch-Site is ${site}`);
  const origin = context.header('origin');
  const own = `${context.peer.secure ? 'https' : 'http'}://${context.host}`;
  if (origin !== undefined && origin.toLowerCase() !== own.toLowerCase())
    throw forged(
      `the request comes from a page of ${origin}, and this is ${own}; a proxy in front must pass on Host and X-Forwarded-Proto`,
    );
  if (isChange(context) && context.header(CONSOLE_HEADER) !== '1')
    throw forged(`a request that changes something needs the header \`${CONSOLE_HEADER}: 1\``);
}

function forged(hint: string): Fault {
  return new Fault('notAllowed', { hint });
}
