/** Fetches in the background, by their ids: the server knows each for ten days. */
import type { FetchStatus } from '@millpond/client/session';
import { useQueries } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { WaitsFor } from '../../ui/waits-for.tsx';
import styles from './fetches.module.css';
import { isFetchId } from './search.ts';
import { Stored } from './stored.tsx';

export function Followed({
  ids,
  follow,
  show,
}: {
  readonly ids: readonly string[];
  readonly follow: (id: string) => void;
  readonly show: (ids: readonly string[]) => void;
}) {
  const say = useTranslations('fetches');
  const { client, account } = useSession();
  const [asked, setAsked] = useState('');
  const states = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['fetches', account, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.fetches.status(id, { signal }),
      refetchInterval: ({ state }: { state: { data?: FetchStatus | undefined } }) =>
        state.data === undefined || state.data.state === 'waiting' ? 5_000 : (false as const),
    })),
  });
  return (
    <section aria-label={say('followed')}>
      <div className="section-head">
        <h2>{say('followed')}</h2>
      </div>
      <form
        className={styles.findId}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFetchId(asked.trim())) return;
          follow(asked.trim());
          setAsked('');
        }}
      >
        <TextField
          label={say('findId')}
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
          autoComplete="off"
        />
        <Button type="submit" size="large">
          {say('find')}
        </Button>
      </form>
      {ids.length === 0 ? (
        <Empty title={say('none')} words={say('noneWords')} />
      ) : (
        <ul className={styles.fetchList}>
          {ids.map((id, at) => (
            <li key={id}>
              <div className="row">
                <code className="truncate">{id}</code>
                <Copy text={id} />
                <span className="grow" />
                <button
                  type="button"
                  className="copy"
                  aria-label={say('hide', { id })}
                  onClick={() => show(ids.filter((other) => other !== id))}
                >
                  <X className="icon" aria-hidden />
                </button>
              </div>
              <State status={states[at]?.data} error={states[at]?.error ?? null} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ status, error }: { readonly status: FetchStatus | undefined; readonly error: unknown }) {
  const say = useTranslations('fetches');
  if (error !== null) return <Failure error={error} what={say('notKnown')} />;
  if (status === undefined) return <div className={`skeleton ${styles.fetchSkeleton}`} aria-hidden />;
  if (status.state === 'done') return <Stored result={status} />;
  if (status.state === 'failed')
    return (
      <p className="row">
        <StatusMark state="bad" />
        <b className="weight-medium">{say('state.failed')}</b>
        <span className="soft">{status.error}</span>
      </p>
    );
  return (
    <p className="row">
      <StatusMark state={status.wait === 0 ? 'wait' : 'busy'} />
      {status.waitingFor === undefined ? say('state.running') : <WaitsFor waitingFor={status.waitingFor} />}
      {status.error !== undefined && <span className="quiet">{status.error}</span>}
    </p>
  );
}
