/** Cameras and platforms: as a tree, and one of them with its video. */
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Cctv, Plus } from 'lucide-react';
import { useState } from 'react';
import { useScreenActions } from '../../app/palette/screen-acts.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';
import liveStyles from '../live/live.module.css';
import { NewNamespace } from '../live/namespace/new-namespace.tsx';
import { useNamespaces } from '../live/queries.ts';
import { ChannelPane } from './channel-pane.tsx';
import { DevicePane } from './device-pane.tsx';
import styles from './devices.module.css';
import { MenuValues } from './menu-values.tsx';
import { NewDevice } from './new-device.tsx';
import { Tree, type TreeSelection } from './tree.tsx';

const allRoute = getRouteApi('/shell/devices');
const oneRoute = getRouteApi('/shell/devices/$ns/$gbId');
const channelRoute = getRouteApi('/shell/devices/$ns/$gbId/$channel');

function Devices({ open, begins }: { readonly open: TreeSelection; readonly begins: string | undefined }) {
  const say = useTranslations('devices');
  const commands = useLiveCommands();
  const { data, error, refetch } = useNamespaces();
  const [isNew, setNew] = useState<'device' | 'namespace' | undefined>();
  const namespaces = data?.filter(({ accessType }) => accessType === 'gb28181') ?? [];
  const chosen = namespaces.find(({ id }) => id === open.ns) ?? namespaces[0];
  useScreenActions([{ words: say('new'), icon: Plus, do: () => setNew(chosen ? 'device' : 'namespace') }]);
  const ns = chosen?.id ?? '$NAMESPACE';
  return (
    <Screen
      title={say('title')}
      className={`${styles.screen} ${liveStyles.screen} ${open.gbId === undefined ? '' : liveStyles.showDetail}`}
      acts={
        namespaces.length > 0 && (
          <>
            <Button className="desktop-only" onClick={() => setNew('namespace')}>
              {say('newNamespace')}
            </Button>
            <Button
              kind="primary"
              icon={<Plus className="icon" aria-hidden />}
              onClick={() => setNew('device')}
            >
              {say('new')}
            </Button>
          </>
        )
      }
    >
      {error !== null && data === undefined && (
        <div className={liveStyles.padded}>
          <Failure error={error} what={say('failed')} again={() => void refetch()} />
        </div>
      )}
      {data !== undefined && namespaces.length === 0 && (
        <div className={`scroll ${liveStyles.whole}`}>
          <Empty title={say('empty')} words={say('emptyWords')} icon={<Cctv className="icon" aria-hidden />}>
            <Button kind="primary" onClick={() => setNew('namespace')}>
              {say('newNamespace')}
            </Button>
          </Empty>
          <section className={`${liveStyles.padded} ${liveStyles.same}`}>
            <h2>{say('asCommand')}</h2>
            <CommandTabs
              commands={commands({
                path: '/namespaces',
                method: 'POST',
                json: { name: 'yard', accessType: 'gb28181' },
                sdk: `const { id } = await client.live.createNamespace({ name: 'yard', accessType: 'gb28181' });`,
              })}
            />
          </section>
        </div>
      )}
      {namespaces.length > 0 && (
        <div className="panes">
          <Tree namespaces={namespaces} open={open} begins={begins} />
          <section
            className={`pane ${liveStyles.streamPane}`}
            aria-label={open.channel ?? open.gbId ?? say('menu')}
          >
            {open.ns !== undefined && open.gbId !== undefined && open.channel !== undefined ? (
              <ChannelPane key={open.channel} ns={open.ns} gbId={open.gbId} channel={open.channel} />
            ) : open.ns !== undefined && open.gbId !== undefined ? (
              <DevicePane key={open.gbId} ns={open.ns} gbId={open.gbId} />
            ) : (
              <div className={`scroll ${liveStyles.padded}`}>
                <MenuValues />
                <section className={liveStyles.same}>
                  <h2>{say('asCommand')}</h2>
                  <CommandTabs
                    commands={commands({
                      path: `/namespaces/${ns}/devices`,
                      sdk: `for await (const each of client.live.devices(${quoted(ns)}).list()) console.log(each.gbId, each.state);`,
                    })}
                  />
                </section>
              </div>
            )}
          </section>
        </div>
      )}
      {isNew === 'namespace' && <NewNamespace isOpen kind="gb28181" close={() => setNew(undefined)} />}
      {isNew === 'device' && chosen !== undefined && (
        <NewDevice namespaces={namespaces} first={chosen.id} close={() => setNew(undefined)} />
      )}
    </Screen>
  );
}

function All() {
  const { ns, begins } = allRoute.useSearch();
  return <Devices open={{ ns }} begins={begins} />;
}

function One() {
  return <Devices open={oneRoute.useParams()} begins={oneRoute.useSearch().begins} />;
}

function Channel() {
  return <Devices open={channelRoute.useParams()} begins={channelRoute.useSearch().begins} />;
}

export const DevicesScreen = createLazyRoute('/shell/devices')({ component: All });
export const DeviceScreen = createLazyRoute('/shell/devices/$ns/$gbId')({ component: One });
export const ChannelScreen = createLazyRoute('/shell/devices/$ns/$gbId/$channel')({
  component: Channel,
});
