/** The token call, at the `auth` host: HTTPS only, no permission needed. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { jsonResponse, type Route } from '../../../platform/web/index.ts';
import { formOf, type Parameters } from '../accounts.parameters.ts';
import { forbidStoring, requireTls } from '../transport.ts';
import type { Login } from './login.ts';

export type GrantType = 'password' | 'refresh_token';

export interface TokenRouteOptions {
  readonly plainHttp: boolean;
  readonly grants: readonly GrantType[];
  /** `id:secret` of the applications that may identify themselves. */
  readonly clients: readonly string[];
}

export function tokenRoutes(login: Login, options: TokenRouteOptions): Route[] {
  return [
    {
      role: 'auth',
      methods: ['POST'],
      path: '/oauth2/token',
      errors: 'account',
      async handle(context) {
        forbidStoring(context);
        requireTls(context, options.plainHttp);
        // The secrets of applications can be guessed at too.
        login.limitAddress(context.peer.address);
        await context.readOpenBody();
        const form = formOf(context);
        checkClient(form, options.clients);
        const origin = { address: context.peer.address, reqid: context.reqid };
        const grantType = grantOf(form, options.grants);
        const pair =
          grantType === 'password'
            ? await login.withPassword(form.required('username'), form.required('password'), origin)
            : await login.withRefreshToken(form.required('refresh_token'), origin);
        return jsonResponse(pair);
      },
    },
  ];
}

function grantOf(form: Parameters, grantTypes: readonly GrantType[]): GrantType {
  const grant = form.required('grant_type');
  if (grant !== 'password' && grant !== 'refresh_token') throw new Fault('invalidGrantType');
  if (!grantTypes.includes(grant))
    throw new Fault('unauthorizedClient', { hint: `the grant ${grant} is switched off` });
  return grant;
}

function checkClient(form: Parameters, clients: readonly string[]): void {
  const id = form.optional('client_id');
  if (id === undefined) return;
  const given = digest(`${id}:${form.optional('client_secret') ?? ''}`);
  if (!clients.some((client) => timingSafeEqual(digest(client), given))) throw new Fault('invalidClient');
}

/** A digest has a constant length, so that the comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
