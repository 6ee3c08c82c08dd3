/** The namespaces of an account: each holds streams or devices, for life. */
import type { NamespaceRecord } from '@millpond/client/session';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus, RadioTower } from 'lucide-react';
import { useState } from 'react';
import { useScreenActions } from '../../app/palette/screen-acts.tsx';
import { number, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useLiveCommands } from './commands.ts';
import styles from './live.module.css';
import { NewNamespace } from './namespace/new-namespace.tsx';
import { useNamespaces, useStreamCounts } from './queries.ts';

export const LiveScreen = createLazyRoute('/shell/live')({ component: LiveNamespaces });

function LiveNamespaces() {
  const say = useTranslations('live');
  const commands = useLiveCommands();
  const namespaces = useNamespaces();
  const [isNew, setNew] = useState(false);
  const create = (
    <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
      {say('ns.new')}
    </Button>
  );
  useScreenActions([{ words: say('ns.new'), icon: Plus, do: () => setNew(true) }]);
  const all = namespaces.data ?? [];
  return (
    <Screen
      title={say('title')}
      className={styles.screen}
      facts={
        all.length > 0 && (
          <span className="quiet text-small tabular desktop-only">
            {say('ns.count', { count: all.length, number: number(all.length) })}
          </span>
        )
      }
      acts={all.length > 0 ? create : undefined}
    >
      <div className={`scroll ${styles.whole}`}>
        <RecordTable
          label={say('title')}
          frame="inset"
          className={styles.namespaceTable}
          rows={namespaces.data}
          rowKey={({ id }) => id}
          query={namespaces}
          failure={say('ns.failed')}
          empty={
            <Empty
              title={say('ns.empty')}
              words={say('ns.emptyWords')}
              icon={<RadioTower className="icon" aria-hidden />}
            >
              {create}
            </Empty>
          }
          columns={[
            {
              id: 'name',
              header: say('ns.name'),
              value: ({ name }) => name,
              cell: (namespace) => <NamespaceName namespace={namespace} />,
            },
            {
              id: 'kind',
              header: say('ns.kind'),
              tone: 'soft',
              className: styles.kindColumn,
              value: ({ accessType }) => say(`ns.kind.${accessType}`),
            },
            {
              id: 'online',
              header: say('ns.online'),
              kind: 'number',
              className: styles.countColumn,
              cell: ({ id }) => <OnlineCount ns={id} />,
            },
            {
              id: 'callback',
              header: say('ns.callback'),
              tone: 'soft',
              onPhone: 'hidden',
              value: ({ callback }) => callback || say('ns.noCallback'),
            },
            {
              id: 'created',
              header: say('ns.created'),
              kind: 'time',
              tone: 'soft',
              width: 130,
              onPhone: 'hidden',
              value: ({ createdAt }) => createdAt * 1000,
              format: shortTime,
            },
          ]}
        />
        <section className={`${styles.padded} ${styles.same}`}>
          <h2>{say('asCommand')}</h2>
          <CommandTabs
            commands={commands(
              all.length === 0
                ? {
                    path: '/namespaces',
                    method: 'POST',
                    json: { name: 'studio' },
                    sdk: `const { id } = await client.live.createNamespace({ name: 'studio' });`,
                  }
                : {
                    path: '/namespaces',
                    cli: 'millpond live namespaces',
                    sdk: 'for await (const each of client.live.namespaces()) console.log(each.name);',
                  },
            )}
          />
        </section>
      </div>
      <NewNamespace isOpen={isNew} close={() => setNew(false)} />
    </Screen>
  );
}

function NamespaceName({ namespace: { id, name, desc, disabled } }: { readonly namespace: NamespaceRecord }) {
  const say = useTranslations('live');
  const { data: counts } = useStreamCounts(id);
  return (
    <span className="row">
      <StatusMark
        state={disabled ? 'off' : (counts?.online ?? 0) > 0 ? 'ok' : 'wait'}
        label={disabled ? say('state.disabled') : undefined}
      />
      <Link
        to="/live/$ns"
        params={{ ns: id }}
        search={({ account }) => ({ account })}
        className="weight-medium"
      >
        {name}
      </Link>
      {disabled && <span className="tag">{say('state.disabled')}</span>}
      <span className="quiet text-small truncate">{desc}</span>
    </span>
  );
}

function OnlineCount({ ns }: { readonly ns: string }) {
  const say = useTranslations('live');
  const { data: counts } = useStreamCounts(ns);
  return counts && say('ns.of', { online: number(counts.online), all: number(counts.all) });
}
