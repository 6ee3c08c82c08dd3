/** Navigation of a phone: the four main places, and all others behind the last. */
import { Dialog } from '@base-ui/react/dialog';
import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../lib/words.ts';
import styles from './navigation.module.css';
import { type Entry, navigation } from './navigation.ts';
import { AccountSwitcher } from './scope/scope.tsx';
import { useExisting } from './use-existing.ts';
import { AccountMenu } from './who.tsx';

const MAIN = new Set(['/', '/buckets', '/tasks', '/deliveries']);

export function TabBar() {
  const say = useTranslations('common');
  const shows = useExisting();
  const [isOpen, setOpen] = useState(false);
  const all = navigation.flatMap(({ entries }) => entries).filter(shows);
  return (
    <nav className={styles.tabBar} aria-label={say('nav.label')}>
      {all
        .filter(({ to }) => MAIN.has(to))
        .map((entry) => (
          <Tab key={entry.to} entry={entry} />
        ))}
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger className={styles.tab}>
          <Menu className="icon" aria-hidden />
          {say('nav.more')}
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="scrim backdrop" />
          <Dialog.Popup className={`dialog ${styles.bottomSheet}`}>
            <Dialog.Title className="visually-hidden">{say('nav.label')}</Dialog.Title>
            <AccountSwitcher chosen={() => setOpen(false)} />
            <div className={styles.nav}>
              {all
                .filter(({ to }) => !MAIN.has(to))
                .map((entry) => (
                  <Tab key={entry.to} entry={entry} close={() => setOpen(false)} />
                ))}
            </div>
            <AccountMenu />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </nav>
  );
}

function Tab({
  entry: { to, word, icon: Icon },
  close,
}: {
  readonly entry: Entry;
  readonly close?: () => void;
}) {
  const say = useTranslations('common');
  return (
    <Link
      to={to as '/'}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      search={(was) => ({ account: was.account })}
      {...(close === undefined ? {} : { onClick: close })}
    >
      <Icon className="icon" aria-hidden />
      {say(word)}
    </Link>
  );
}
