/** Who is signed in, with the choices of this browser and the way out. */
import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { currentLanguage, currentTheme, prefer, preferences } from '../lib/preferences.ts';
import { signOut } from '../lib/session.ts';
import { useTranslations } from '../lib/words.ts';
import styles from './navigation.module.css';
import { queries } from './queries.ts';
import { useSession } from './session-context.tsx';

export function AccountMenu() {
  const say = useTranslations('common');
  const { email, operator, region } = useSession();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut();
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
  const isDark = currentTheme() === 'dark';
  const isChinese = currentLanguage() === 'zh-CN';
  const isUtc = preferences().zone === 'UTC';
  return (
    <div className={styles.sidebarFoot}>
      <Menu.Root>
        <Menu.Trigger className={styles.accountButton}>
          <span className={styles.avatar} aria-hidden>
            {email.slice(0, 2).toUpperCase()}
          </span>
          <span className={styles.accountName}>
            <b className="truncate">{email}</b>
            <span>{say(operator ? 'who.operator' : 'who.account', { region })}</span>
          </span>
          {/* In narrow windows this is all of its name. */}
          <span className="visually-hidden">{say('who.menu', { email })}</span>
          <ChevronsUpDown className="icon icon-small" aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner side="top" align="start" sideOffset={6} className="floating">
            <Menu.Popup className="popover menu">
              <Menu.Item className="menu-item" onClick={() => prefer({ theme: isDark ? 'light' : 'dark' })}>
                {say(isDark ? 'who.light' : 'who.dark')}
              </Menu.Item>
              <Menu.Item
                className="menu-item"
                onClick={() => prefer({ language: isChinese ? 'en' : 'zh-CN' })}
              >
                {isChinese ? 'English' : '中文'}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => prefer({ zone: isUtc ? 'browser' : 'UTC' })}>
                {say(isUtc ? 'who.browserZone' : 'who.utc')}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => prefer({ letters: !preferences().letters })}>
                {say(preferences().letters ? 'who.lettersOff' : 'who.lettersOn')}
              </Menu.Item>
              <Menu.Separator className="rule" />
              <Menu.Item className="menu-item" onClick={() => void leave()}>
                {say('who.leave')}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}
