/** One access key, and what can be done with it. */
import type { AccessKeyRecord } from '@millpond/client/session';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { relativeTime, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../access.module.css';
import { LimitKey } from './limit-key.tsx';
import { limitWords } from './limit-words.ts';

export function KeyRow({ shown, isChosen }: { readonly shown: AccessKeyRecord; readonly isChosen: boolean }) {
  const say = useTranslations('access');
  const { serverNow } = useSession();
  const { key, kind, state, created, lastUsed, lastAddress, limits, note } = shown;
  return (
    <tr className={styles.keyRow} aria-selected={isChosen}>
      <td>
        <span className="row">
          <span className="grow">
            <code className={`truncate ${styles.line}`} title={key}>
              {key}
            </code>
            <span className={`quiet text-small ${styles.secondLine} truncate`}>
              {note ?? say('made', { time: time(created) })}
            </span>
          </span>
          <Copy text={key} />
        </span>
      </td>
      <td>
        <b className="weight-medium">{kind}</b>
        <span className={`quiet text-small ${styles.secondLine} truncate`}>
          {say(kind === 'root' ? 'kind.root' : 'kind.user')}
        </span>
      </td>
      <td>
        <span className="state">
          <StatusMark state={state === 0 ? 'ok' : 'off'} />
          {say(state === 0 ? 'enabled' : 'disabled')}
        </span>
      </td>
      <td className="tabular" data-label={say('lastUsed')}>
        {lastUsed === undefined ? (
          <span className="quiet">{say('never')}</span>
        ) : (
          <>
            <b className="weight-medium">{relativeTime(lastUsed, serverNow())}</b>
            <span className={`quiet text-small ${styles.secondLine} truncate`}>{lastAddress}</span>
          </>
        )}
      </td>
      <td className={styles.limits} data-label={say('limits')}>
        {limits === undefined ? (
          <span className="quiet">{say('unlimited')}</span>
        ) : (
          limitWords(limits).map(({ word, values }) => (
            <span key={word} className={`truncate ${styles.line} text-small`} title={values}>
              <span className="quiet">{say(`limit.${word}`)}</span> {values ?? say('limit.nothing')}
            </span>
          ))
        )}
      </td>
      <td className="actions">
        <Acts shown={shown} />
      </td>
    </tr>
  );
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
