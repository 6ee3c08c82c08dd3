/** One namespace: its streams as a list and as pictures, and its settings. */
import { createLazyRoute, Link } from '@tanstack/react-router';
import { LayoutGrid, Plus, RadioTower, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useScreenActions } from '../../app/palette/screen-acts.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { quoted, useLiveCommands } from './commands.ts';
import styles from './live.module.css';
import { NamespaceSettings } from './namespace/settings.tsx';
import { NewStream } from './new-stream.tsx';
import { useNamespace, useStreamCounts } from './queries.ts';
import { StreamList } from './stream-list.tsx';
import { SnapshotGrid } from './wall.tsx';

export const NamespaceScreen = createLazyRoute('/shell/live/$ns')({ component: Namespace });

function Namespace() {
  const say = useTranslations('live');
  const common = useTranslations('common');
  const { ns } = NamespaceScreen.useParams();
  const search = NamespaceScreen.useSearch();
  const { pane, begins, state } = search;
  const commands = useLiveCommands();
  const { data: namespace, error, refetch } = useNamespace(ns);
  const { data: counts } = useStreamCounts(ns);
  const [isNew, setNew] = useState(false);
  const isForStreams = namespace?.accessType === 'rtmp';
  const isBare = counts?.all === 0 && pane === undefined;
  useScreenActions([{ words: say('stream.new'), icon: Plus, do: () => setNew(true) }]);
  const create = (
    <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
      {say('stream.new')}
    </Button>
  );
  return (
    <Screen
      title={namespace?.name ?? ns}
      className={`${styles.screen} ${pane === undefined ? '' : styles.showDetail}`}
      crumbs={
        <>
          <Link to="/live" search={({ account }) => ({ account })} className="soft">
            {say('title')}
          </Link>
          <span className="separator">/</span>
        </>
      }
      facts={
        <>
          {namespace !== undefined && (
            <span className="tag desktop-only">{say(`ns.kind.${namespace.accessType}`)}</span>
          )}
          {namespace?.disabled && <span className="tag warn">{say('state.disabled')}</span>}
        </>
      }
      acts={
        <>
          <Link
            to="/live/$ns"
            params={{ ns }}
            search={({ account }) => ({
              account,
              begins,
              state,
              pane: pane === 'settings' ? undefined : ('settings' as const),
            })}
            className="button"
          >
            {pane === 'settings' ? (
              <LayoutGrid className="icon" aria-hidden />
            ) : (
              <Settings2 className="icon" aria-hidden />
            )}
            {pane === 'settings' ? say('streams') : common('nav.settings')}
          </Link>
          {isForStreams && create}
        </>
      }
    >
      {error !== null && namespace === undefined && (
        <div className={styles.padded}>
          <Failure error={error} what={say('ns.failed')} again={() => void refetch()} />
        </div>
      )}
      {namespace !== undefined && isBare && (
        <div className={`scroll ${styles.whole}`}>
          <Empty
            title={say('stream.empty')}
            words={say(isForStreams ? 'stream.emptyWords' : 'stream.emptyDevices')}
            icon={<RadioTower className="icon" aria-hidden />}
          >
            {isForStreams ? (
              create
            ) : (
              <Link to="/devices" search={({ account }) => ({ account, ns })} className="button primary">
                {common('nav.devices')}
              </Link>
            )}
          </Empty>
          <section className={`${styles.padded} ${styles.same}`}>
            <h2>{say('asCommand')}</h2>
            <CommandTabs
              commands={commands({
                path: `/namespaces/${ns}/streams`,
                method: 'POST',
                json: { streamId: 'stage-a' },
                sdk: `await client.live.streams(${quoted(ns)}).create({ streamId: 'stage-a' });`,
              })}
            />
          </section>
        </div>
      )}
      {namespace !== undefined && !isBare && (
        <div className="panes">
          <StreamList ns={ns} search={search} />
          <section
            className={`pane ${styles.streamPane}`}
            aria-label={pane === 'settings' ? common('nav.settings') : say('pictures')}
          >
            <div className="scroll">
              {pane === 'settings' ? (
                <NamespaceSettings namespace={namespace} />
              ) : (
                <>
                  <SnapshotGrid ns={ns} search={search} />
                  <section className={`${styles.padded} ${styles.same}`}>
                    <h2>{say('asCommand')}</h2>
                    <CommandTabs
                      commands={commands({
                        path: `/namespaces/${ns}/streams`,
                        cli: `millpond live streams ${shellWord(ns)}`,
                        sdk: `for await (const each of client.live.streams(${quoted(ns)}).list()) console.log(each.streamId);`,
                      })}
                    />
                  </section>
                </>
              )}
            </div>
          </section>
        </div>
      )}
      <NewStream ns={ns} isOpen={isNew} close={() => setNew(false)} />
    </Screen>
  );
}
