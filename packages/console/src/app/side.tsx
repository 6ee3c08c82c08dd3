/** Navigation beside the screens; icons only in narrow windows. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../lib/words.ts';
import { Logo } from '../ui/logo.tsx';
import styles from './navigation.module.css';
import { type Entry, navigation } from './navigation.ts';
import { AccountSwitcher } from './scope/scope.tsx';
import { useSession } from './session-context.tsx';
import { useExisting } from './use-existing.ts';
import { AccountMenu } from './who.tsx';

export function Side() {
  const say = useTranslations('common');
  const { version } = useSession();
  const shows = useExisting();
  return (
    <nav className={styles.sidebar} aria-label={say('nav.label')}>
      <div className={styles.sidebarHead}>
        <Logo />
        Millpond<span className={styles.version}>{version}</span>
      </div>
      <AccountSwitcher />
      <div className={styles.nav}>
        {navigation.map(({ word, entries }) => {
          const shown = entries.filter(shows);
          if (shown.length === 0) return null;
          return (
            <div key={word ?? 'first'}>
              {word !== undefined && <h2>{say(word)}</h2>}
              <ul>
                {shown.map((entry) => (
                  <li key={entry.to}>
                    <NavLink entry={entry} />
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </div>
      <AccountMenu />
    </nav>
  );
}

function NavLink({ entry: { to, word, icon: Icon } }: { readonly entry: Entry }) {
  const say = useTranslations('common');
  return (
    <Link
      to={to as '/'}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      search={(was) => ({ account: was.account })}
    >
      <Icon className="icon" aria-hidden />
      {say(word)}
    </Link>
  );
}
