/** A real OpenID provider on this machine, and somebody who signs in there. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { afterAll, beforeAll } from 'vitest';

export const CLIENT = { id: 'console', secret: 'a secret of the console' };

/** What the provider says about a person. */
export type ProvidedClaims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** A place that shows the same description, which names another issuer. */
  readonly impostor: string;
  /** From the URL that the console led to, to the one that leads back: as the person with these claims. */
  signIn(url: string, claims: ProvidedClaims): Promise<string>;
}

/** It listens while the tests of the file run. */
export function useProvider(port: number, redirectUris: readonly string[]): TestProvider {
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, ProvidedClaims>();
  let next = '';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['for a test'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    interactions: { url: () => '/interaction' },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (request.url === '/interaction')
      void provider.interactionFinished(request, response, { login: { accountId: next } });
    else {
      request.url = request.url?.replace(/^\/impostor/, '');
      void answer(request, response);
    }
  });
  beforeAll(async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    issuer,
    impostor: `${issuer}/impostor`,
    async signIn(url, claims) {
      next = `person-${people.size}`;
      people.set(next, claims);
      const cookies = new Map<string, string>();
      for (let at = url; ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reached = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of reached.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = reached.headers.get('location');
        if (location === null)
          throw new Error(`the provider answered ${reached.status}: ${await reached.text()}`);
        at = new URL(location, at).href;
        if (!at.startsWith(issuer)) return at;
      }
    },
  };
}
