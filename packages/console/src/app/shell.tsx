/** What stands around every screen: the way to the content, navigation, who is signed in, messages, the palette. */
import { getRouteApi, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations, withWords } from '../lib/words.ts';
import { Messages } from '../ui/messages.tsx';
import { couldNameSomething } from './address-names.ts';
import { useGoKeys } from './go-keys.ts';
import { NotFound } from './not-found.tsx';
import { Offline } from './offline.tsx';
import { OpenPalette } from './palette/open.ts';
import { Palette } from './palette/palette.tsx';
import { ScreenActions } from './palette/screen-acts.tsx';
import { ActingBanner } from './scope/acting.tsx';
import { SessionProvider } from './session-context.tsx';
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
