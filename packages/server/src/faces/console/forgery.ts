/**
 * Proof that a request comes from the console's own pages, besides the cookie: browsers say where a request comes from, and a
 * change needs a header that pages of other origins can't send. Other programs may leave out what only browsers send.
 */
import { CONSOLE_HEADER, Fault } from '@millpond/protocol';
import type { Call } from '../../platform/web/index.ts';

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

export function isChange(call: Call): boolean {
  return !READING.has(call.request.method);
}

export function refuseForged(call: Call): void {
  const site = call.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin')
    throw forged(`the browser says that the request comes from elsewhere: Sec-Fetch-Site is ${site}`);
  const origin = call.header('origin');
  const own = `${call.peer.secure ? 'https' : 'http'}://${call.host}`;
  if (origin !== undefined && origin.toLowerCase() !== own.toLowerCase())
    throw forged(
      `the request comes from a page of ${origin}, and this is ${own}; a proxy in front must pass on Host and X-Forwarded-Proto`,
    );
  if (isChange(call) && call.header(CONSOLE_HEADER) !== '1')
    throw forged(`a request that changes something needs the header \`${CONSOLE_HEADER}: 1\``);
}

function forged(hint: string): Fault {
  return new Fault('notAllowed', { hint });
}
