/** Whom an operator acts for. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session-context.tsx';

export interface ActingAccount {
  readonly uid: number;
  /** Its number until its e-mail is known. */
  readonly email: string;
  /** 0: it has none; undefined: not known yet. */
  readonly parentUid: number | undefined;
}

/** Undefined: for nobody, the screens are about all accounts. */
export function useActingAccount(): ActingAccount | undefined {
  const { client, account } = useSession();
  const { data } = useQuery({
    queryKey: ['scope', account],
    queryFn: ({ signal }) => client.accounts.info({ signal }),
    enabled: account !== undefined,
    staleTime: 60_000,
  });
  if (account === undefined) return undefined;
  return { uid: account, email: data?.email ?? String(account), parentUid: data?.parent_uid };
}
