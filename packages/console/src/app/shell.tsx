/** What stands around every screen: the way to the content, navigation, who is signed in, messages, the palette. */
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { UserRoundCog, WifiOff } from 'lucide-react';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { useTranslations, withWords } from '../lib/words.ts';
import { Messages } from '../ui/messages.tsx';
import { couldNameSomething } from './address-names.ts';
import { useGoKeys } from './go-keys.ts';
import styles from './navigation.module.css';
import { NotFound } from './not-found.tsx';
import { OpenPalette } from './palette/open.ts';
import { Palette } from './palette/palette.tsx';
import { ScreenActions } from './palette/screen-acts.tsx';
import { useActingAccount } from './scope/use-acted-for.ts';
import { SessionProvider, useSession } from './session-context.tsx';
import { Side } from './side.tsx';
import { TabBar } from './tab-bar.tsx';

const route = getRouteApi('/shell');
const UploadTray = lazy(() =>
  withWords(import('../uploads/tray.tsx'), 'uploads').then(({ UploadTray: made }) => ({ default: made })),
);

export function Shell() {
  const { session } = route.useRouteContext();
  const { account } = route.useSearch();
  return (
    <SessionProvider state={session} account={session.operator ? account : undefined}>
      <Messages>
        <ScreenActions>
          <Frame />
        </ScreenActions>
      </Messages>
    </SessionProvider>
  );
}

function Frame() {
  const say = useTranslations('common');
  const [isAsked, setAsked] = useState(false);
  const parameters = useParams({ strict: false });
  useGoKeys();
  return (
    <OpenPalette value={() => setAsked(true)}>
      <a className="skip-link" href="#content">
        {say('skip')}
      </a>
      <div className="app">
        <Side />
        <div className="main">
          <Offline />
          <ActingBanner />
          <Suspense>{couldNameSomething(parameters) ? <Outlet /> : <NotFound />}</Suspense>
          <Suspense>
            <UploadTray />
          </Suspense>
        </div>
        <TabBar />
      </div>
      <Palette isOpen={isAsked} setOpen={setAsked} />
    </OpenPalette>
  );
}

/** Says that the server can't be reached, and until when the figures on the screen are. */
function Offline() {
  const say = useTranslations('common');
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className="offline" role="status">
      <WifiOff className="icon" aria-hidden />
      {say('offline')}
    </div>
  );
}

function watch(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Says, above every screen, that an operator acts for somebody else, and leads out of it. */
function ActingBanner() {
  const say = useTranslations('common');
  const { uid } = useSession();
  const acted = useActingAccount();
  if (acted === undefined || acted.uid === uid) return null;
  return (
    <div className={styles.actingBanner} role="status">
      <UserRoundCog className="icon" aria-hidden />
      <span className="truncate">{say('scope.acting', { email: acted.email })}</span>
      <Link to="/" search={{ account: undefined }} className="link end">
        {say('scope.leave')}
      </Link>
    </div>
  );
}
