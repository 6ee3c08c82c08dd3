/** The session and its client, for every screen behind the sign-in. */
import { SessionClient } from '@millpond/client/session';
import type { SessionState } from '@millpond/protocol';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { sessionTransport } from '../lib/session-transport.ts';

export interface Session extends SessionState {
  readonly client: SessionClient;
  /** For an operator: the account that the screens are about; undefined is all of them. */
  readonly account: number | undefined;
  /** For an operator's calls about all accounts. */
  readonly everyone: SessionClient;
  /** For what belongs to another account than the screens are about, in operators' lists of all of them. */
  readonly clientFor: (uid: number | undefined) => SessionClient;
  /** The server's clock now, in unix milliseconds. */
  readonly serverNow: () => number;
}

const Context = createContext<Session | undefined>(undefined);

export function SessionProvider({
  state,
  account,
  children,
}: {
  readonly state: SessionState;
  readonly account: number | undefined;
  readonly children: ReactNode;
}) {
  const session = useMemo<Session>(() => {
    const ahead = state.now - Date.now();
    const transport = sessionTransport();
    const { dialect, operator } = state;
    const made = (uid: number | undefined) =>
      new SessionClient({ origin: location.origin, dialect, account: uid, transport });
    const client = made(account);
    return {
      ...state,
      client,
      account,
      everyone: account === undefined ? client : made(undefined),
      clientFor: (uid) => (operator && uid !== undefined && uid !== account ? made(uid) : client),
      serverNow: () => Date.now() + ahead,
    };
  }, [state, account]);
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = use(Context);
  if (session === undefined) throw new Error('no session here');
  return session;
}

export function useClient(): SessionClient {
  return useSession().client;
}
