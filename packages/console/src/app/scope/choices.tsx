/** Accounts by the beginning of their e-mail, and all of them together. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Check, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDeferredValue, useState } from 'react';
import { firstOf } from '../../lib/first-of.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import styles from '../navigation.module.css';
import { navigation } from '../navigation.ts';
import { useSession } from '../session-context.tsx';

const SHOWN = 12;

export function Choices({ close }: { readonly close: () => void }) {
  const say = useTranslations('common');
  const { everyone, account, uid, email } = useSession();
  const [asked, setAsked] = useState('');
  const begins = useDeferredValue(asked.trim());
  const { data = [], error } = useQuery({
    queryKey: ['scope', 'accounts', begins],
    queryFn: ({ signal }) =>
      firstOf(everyone.operator.accounts({ begins: begins || undefined, signal }), SHOWN + 1),
    placeholderData: keepPreviousData,
  });
  const others = data.filter((each) => each.uid !== uid).slice(0, SHOWN);
  return (
    <>
      <label className="input">
        <Search className="icon icon-small" aria-hidden />
        <span className="visually-hidden">{say('scope.find')}</span>
        <input
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
          placeholder={say('scope.find')}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      {error !== null && <Failure error={error} />}
      <ul className={styles.accountList}>
        <Choice account={undefined} isChosen={account === undefined} close={close}>
          {say('scope.all')}
        </Choice>
        <Choice account={uid} isChosen={account === uid} close={close}>
          {email} <span className="quiet">{say('scope.own')}</span>
        </Choice>
        {others.map((each) => (
          <Choice key={each.uid} account={each.uid} isChosen={account === each.uid} close={close}>
            {each.email} {each.is_disabled && <span className="quiet">{say('scope.disabled')}</span>}
          </Choice>
        ))}
      </ul>
      <p className={styles.foot}>
        {data.length > SHOWN && <span className="quiet text-small">{say('scope.more')}</span>}
        <Link to="/accounts" className="link" onClick={close}>
          {say('scope.accounts')}
        </Link>
      </p>
    </>
  );
}

function Choice({
  account,
  isChosen,
  close,
  children,
}: {
  readonly account: number | undefined;
  readonly isChosen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link
        to={placeOf(pathname) as '/'}
        search={{ account }}
        className="menu-item"
        aria-current={isChosen ? 'true' : undefined}
        activeProps={{}}
        onClick={close}
      >
        <Check
          className="icon icon-small"
          aria-hidden
          style={{ visibility: isChosen ? 'visible' : 'hidden' }}
        />
        <span className="truncate">{children}</span>
      </Link>
    </li>
  );
}

/** Where another account is shown: the same part of the console, not the things of the account that was left. */
function placeOf(pathname: string): string {
  const [, first = ''] = pathname.split('/');
  const part = navigation.flatMap(({ entries }) => entries).find(({ to }) => to === `/${first}`);
  return part?.to ?? '/';
}
