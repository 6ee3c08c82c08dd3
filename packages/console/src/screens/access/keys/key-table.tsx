/** Access keys, and what can be done with each. */
import type { AccessKeyRecord } from '@millpond/client/session';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { relativeTime, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { RecordColumn } from '../../../ui/records/record-column.ts';
import { type RecordQuery, RecordTable } from '../../../ui/records/record-table.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../access.module.css';
import { EnabledState } from '../people/disabling.tsx';
import { LimitKey } from './limit-key.tsx';
import { limitWords } from './limit-words.ts';

export function KeyTable({
  title,
  words,
  keys,
  query,
  currentKey,
}: {
  readonly title: string;
  readonly words: string;
  readonly keys: readonly AccessKeyRecord[] | undefined;
  readonly query?: RecordQuery;
  readonly currentKey: string | undefined;
}) {
  const say = useTranslations('access');
  return (
    <section className="section">
      <header>
        <h2>{title}</h2>
        <span className="quiet text-small">{words}</span>
      </header>
      <RecordTable
        label={title}
        columns={useColumns()}
        className={styles.keyTable}
        rows={keys}
        rowKey={({ key }) => key}
        currentKey={currentKey}
        query={query}
        failure={say('keys.failed')}
        empty={<p className="soft">{say('keys.none')}</p>}
      />
    </section>
  );
}

function useColumns(): readonly RecordColumn<AccessKeyRecord>[] {
  const say = useTranslations('access');
  const { serverNow } = useSession();
  return [
    {
      id: 'key',
      header: say('key'),
      value: ({ key }) => key,
      cell: ({ key, note, created }) => (
        <span className="row">
          <span className="grow">
            <code className={`truncate ${styles.line}`}>{key}</code>
            <SecondLine words={note ?? say('made', { time: time(created) })} />
          </span>
          <Copy text={key} />
        </span>
      ),
    },
    {
      id: 'kind',
      header: say('kind'),
      width: 112,
      cell: ({ kind }) => (
        <>
          <b className="weight-medium">{kind}</b>
          <SecondLine words={say(kind === 'root' ? 'kind.root' : 'kind.user')} />
        </>
      ),
    },
    {
      id: 'state',
      header: say('state'),
      width: 112,
      cell: ({ state }) => <EnabledState isDisabled={state !== 0} />,
    },
    {
      id: 'lastUsed',
      header: say('lastUsed'),
      kind: 'time',
      width: 176,
      onPhone: 'labelled',
      value: ({ lastUsed }) => lastUsed,
      cell: ({ lastUsed, lastAddress }) =>
        lastUsed === undefined ? (
          <span className="quiet">{say('never')}</span>
        ) : (
          <>
            <b className="weight-medium">{relativeTime(lastUsed, serverNow())}</b>
            <SecondLine words={lastAddress} />
          </>
        ),
    },
    {
      id: 'limits',
      header: say('limits'),
      onPhone: 'labelled',
      cell: ({ limits }) =>
        limits === undefined ? (
          <span className="quiet">{say('unlimited')}</span>
        ) : (
          limitWords(limits).map(({ word, values }) => (
            <span key={word} className={`truncate ${styles.line} text-small`} title={values}>
              <span className="quiet">{say(`limit.${word}`)}</span> {values ?? say('limit.nothing')}
            </span>
          ))
        ),
    },
    { id: 'actions', header: say('acts'), kind: 'actions', width: 48, cell: (each) => <Acts shown={each} /> },
  ];
}

function SecondLine({ words }: { readonly words: string | undefined }) {
  return <span className={`quiet text-small ${styles.secondLine} truncate`}>{words}</span>;
}

function Acts({ shown: { key, state, limits } }: { readonly shown: AccessKeyRecord }) {
  const say = useTranslations('access');
  const { client } = useSession();
  const [asked, setAsked] = useState<'disable' | 'delete' | 'limit' | undefined>();
  const renews = [['access']];
  const enable = useAction({ act: () => client.accounts.enableKey(key), renews });
  const disable = useAction({
    act: () => client.accounts.disableKey(key),
    done: () => say('disabled.done'),
    undo: () => client.accounts.enableKey(key),
    renews,
    failure: 'inline',
  });
  const isOn = state === 0;
  return (
    <>
      <Menu
        label={say('acts.of', { key: key.slice(0, 8) })}
        icon={<Ellipsis className="icon" aria-hidden />}
        className="copy"
        items={[
          { words: say('limits.set'), do: () => setAsked('limit') },
          isOn
            ? { words: say('disable'), do: () => setAsked('disable') }
            : { words: say('enable'), do: () => void enable.run() },
          { words: say('delete'), danger: true, disabled: isOn, do: () => setAsked('delete') },
        ]}
      />
      <Confirm
        title={say('disable.title')}
        act={say('disable')}
        isOpen={asked === 'disable'}
        close={() => setAsked(undefined)}
        onConfirm={() => disable.attempt()}
      >
        <p className="soft">{say('disable.words')}</p>
        <code>{key}</code>
      </Confirm>
      <Confirm
        title={say('delete.title')}
        act={say('delete')}
        typed={key.slice(0, 8)}
        isOpen={asked === 'delete'}
        close={() => setAsked(undefined)}
        onConfirm={() => client.accounts.deleteKey(key)}
        renews={renews}
      >
        <p className="soft">{say('delete.words')}</p>
        <code>{key}</code>
      </Confirm>
      {asked === 'limit' && <LimitKey accessKey={key} limits={limits} close={() => setAsked(undefined)} />}
    </>
  );
}
