/** The namespaces of an account: each holds streams or devices, for life. */
import type { NamespaceRecord } from '@millpond/client/session';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus, RadioTower } from 'lucide-react';
import { useState } from 'react';
import { useScreenActions } from '../../app/palette/screen-acts.tsx';
import { number, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useLiveCommands } from './commands.ts';
import styles from './live.module.css';
import { NewNamespace } from './namespace/new-namespace.tsx';
import { useNamespaces, useStreamCounts } from './queries.ts';

export const LiveScreen = createLazyRoute('/shell/live')({ component: LiveNamespaces });

function LiveNamespaces() {
  const say = useTranslations('live');
  const commands = useLiveCommands();
  const found = useNamespaces();
  const [isNew, setNew] = useState(false);
  const create = (
    <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
      {say('ns.new')}
    </Button>
  );
  useScreenActions([{ words: say('ns.new'), icon: Plus, do: () => setNew(true) }]);
  const all = found.data ?? [];
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
        {found.error !== null && (
          <div className={styles.padded}>
            <Failure error={found.error} what={say('ns.failed')} again={() => void found.refetch()} />
          </div>
        )}
        {found.data?.length === 0 && (
          <Empty
            title={say('ns.empty')}
            words={say('ns.emptyWords')}
            icon={<RadioTower className="icon" aria-hidden />}
          >
            {create}
          </Empty>
        )}
        {all.length > 0 && (
          <div className="inset">
            <table className={`table ${styles.namespaceTable}`}>
              <thead>
                <tr>
                  <th scope="col">{say('ns.name')}</th>
                  <th scope="col" className={styles.kindColumn}>
                    {say('ns.kind')}
                  </th>
                  <th scope="col" className={`numeric ${styles.countColumn}`}>
                    {say('ns.online')}
                  </th>
                  <th scope="col" className="desktop-only">
                    {say('ns.callback')}
                  </th>
                  <th scope="col" className={`${styles.atColumn} desktop-only`}>
                    {say('ns.created')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((namespace) => (
                  <Row key={namespace.id} namespace={namespace} />
                ))}
              </tbody>
            </table>
          </div>
        )}
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

function Row({ namespace }: { readonly namespace: NamespaceRecord }) {
  const say = useTranslations('live');
  const { data: counts } = useStreamCounts(namespace.id);
  const { id, name, desc, disabled, accessType, callback, createdAt } = namespace;
  return (
    <tr>
      <td>
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
      </td>
      <td className="soft">{say(`ns.kind.${accessType}`)}</td>
      <td className="numeric">
        {counts && say('ns.of', { online: number(counts.online), all: number(counts.all) })}
      </td>
      <td className="soft desktop-only">{callback === '' ? say('ns.noCallback') : callback}</td>
      <td className="tabular soft desktop-only" title={time(createdAt * 1000)}>
        {shortTime(createdAt * 1000)}
      </td>
    </tr>
  );
}
