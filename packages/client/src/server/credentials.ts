/** How a server authorizes its calls. Signed ones are dated, so that nobody can replay them later. */
import {
  type AccessKeyPair,
  dateHeaderName,
  dialects,
  formatRequestDate,
  signManagement,
} from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import { asUsageError } from '../core/usage-error.ts';
import { hashing } from '../node/hashing.ts';
import type { Authority, UnsentCall } from './caller.ts';

/** Access keys sign; an access token is sent as it is, over TLS only. A function is called for each request. */
export type Credentials = AccessKeyPair | { readonly accessToken: string | (() => string | Promise<string>) };

export function authorityOf(credentials: Credentials, dialect: keyof typeof dialects): Authority {
  if ('accessToken' in credentials) return byToken(credentials.accessToken, dialect);
  return { accessKey: credentials.accessKey, headers: (call) => signed(credentials, call, dialect) };
}

function byToken(
  given: string | (() => string | Promise<string>),
  dialect: keyof typeof dialects,
): Authority {
  return {
    async headers({ base }) {
      if (!base.startsWith('https:') && !/^http:\/\/(127\.|localhost[:/]|\[::1\])/.test(`${base}/`))
        throw new MillpondError('usage', 'an access token is sent over HTTPS only');
      const token = typeof given === 'string' ? given : await given();
      return { authorization: `${dialects[dialect].scheme} ${token}` };
    },
  };
}

function signed(
  keys: AccessKeyPair,
  call: UnsentCall,
  dialectName: keyof typeof dialects,
): Record<string, string> {
  const dialect = dialects[dialectName];
  const dated: [string, string] = [dateHeaderName(dialect), formatRequestDate(new Date())];
  const url = new URL(call.base);
  const request = {
    method: call.method,
    target: url.pathname.replace(/\/+$/, '') + call.target,
    host: url.host,
    contentType: call.contentType,
    headers: [dated],
    body: call.body === undefined ? undefined : new TextEncoder().encode(call.body),
  };
  const authorization = asUsageError(() => signManagement(hashing, keys, request, dialect));
  return { [dated[0]]: dated[1], authorization };
}
