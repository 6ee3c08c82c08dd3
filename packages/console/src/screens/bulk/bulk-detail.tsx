/** One piece of work on many objects: how far it has come, what could not be done, and the way to stop it. */
import type { BulkRecord } from '@millpond/client/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { bytes, durationText, number, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { folderAddress, objectAddress, splitKey } from '../objects/address.ts';
import { notifyBucketChanged } from '../objects/changes.ts';
import styles from './bulk.module.css';
import { Progress } from './progress.tsx';
import { MARKS } from './states.ts';

const RENEWED_MS = 1_000;

function BulkDetail() {
  const say = useTranslations('bulk');
  const { id } = BulkDetailScreen.useParams();
  const { client, account } = useSession();
  const curl = useCurl();
  const queries = useQueryClient();
  const queryKey = ['bulk', account, id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.bulk.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.ended === undefined ? RENEWED_MS : false),
  });
  const stop = useAction({
    act: () => client.bulk.stop(id),
    after: (stopped) => queries.setQueryData(queryKey, stopped),
    failure: 'inline',
  });
  useEnd(data);
  return (
    <Screen
      title={data === undefined ? id : say(`kind.${data.kind}`)}
      className={styles.screen}
      crumbs={
        <>
          <Link className="desktop-only" to="/bulk" search={(was) => ({ account: was.account })}>
            {say('title')}
          </Link>
          <span className="separator desktop-only">/</span>
        </>
      }
      acts={
        data?.ended === undefined && (
          <Button
            kind="danger"
            icon={<Square className="icon" aria-hidden />}
            waits={stop.isPending}
            disabled={data === undefined}
            onClick={() => void stop.run()}
          >
            {say('stop')}
          </Button>
        )
      }
    >
      <div className={styles.detail}>
        {error !== null && <Failure error={error} what={say('failed')} again={() => void refetch()} />}
        {stop.error !== null && <Failure error={stop.error} what={say('notStopped')} />}
        {data !== undefined && <Facts bulk={data} />}
        {data !== undefined && data.problems.length > 0 && <Problems bulk={data} />}
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: `/v1/bulk/${id}` }),
            cli: `millpond bulk show ${id} --wait`,
            sdk: `await client.bulk.wait('${id}');`,
          }}
        />
      </div>
    </Screen>
  );
}

/** Open lists of the bucket are read anew when it ends. */
function useEnd(bulk: BulkRecord | undefined): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (bulk === undefined) return;
    if (wasOpen.current && bulk.ended !== undefined) {
      notifyBucketChanged(bulk.bucket);
      if (bulk.to !== undefined) notifyBucketChanged(bulk.to.bucket);
    }
    wasOpen.current = bulk.ended === undefined;
  }, [bulk]);
}

function Facts({ bulk }: { readonly bulk: BulkRecord }) {
  const say = useTranslations('bulk');
  const { bucket, prefix, keys, to, zip, state, done, failed, of, begun, ended } = bulk;
  const search = (was: { account?: number | undefined }) => ({ account: was.account });
  return (
    <>
      <div className={styles.summary}>
        <b className="row weight-medium" role="status">
          <StatusMark state={MARKS[state]} />
          {say(`state.${state}`)}
        </b>
        <Progress bulk={bulk} />
        <span className="tabular">
          {of === undefined
            ? say('doneSoFar', { done: number(done) })
            : say('doneOf', { done: number(done), of: number(of) })}
          {failed > 0 && <span className="bad"> {say('notDone', { number: number(failed) })}</span>}
        </span>
      </div>
      {bulk.words !== undefined && <p className="note bad">{bulk.words}</p>}
      <dl className="key-values">
        <dt>{say('what')}</dt>
        <dd>
          <Link
            {...folderAddress(bucket, splitKey(keys?.[0] ?? prefix ?? '').prefix)}
            search={search}
            className="truncate"
          >
            {`${bucket}/${keys?.[0] ?? prefix ?? ''}`}
          </Link>
          {keys !== undefined && keys.length > 1 && <span className="quiet">…</span>}
        </dd>
        {to !== undefined && (
          <>
            <dt>{say('to')}</dt>
            <dd>
              <Link
                {...folderAddress(to.bucket, splitKey(to.prefix).prefix)}
                search={search}
                className="truncate"
              >
                {`${to.bucket}/${to.prefix}`}
              </Link>
            </dd>
          </>
        )}
        {zip !== undefined && (
          <>
            <dt>{say('to')}</dt>
            <dd>
              <Link {...objectAddress(zip.bucket, zip.key)} className="truncate">
                {`${zip.bucket}/${zip.key}`}
              </Link>
            </dd>
          </>
        )}
        <dt>{say('bytes')}</dt>
        <dd className="tabular">{bytes(bulk.bytes)}</dd>
        {bulk.current !== undefined && ended === undefined && (
          <>
            <dt>{say('current')}</dt>
            <dd>
              <code className="truncate">{bulk.current}</code>
            </dd>
          </>
        )}
        <dt>{say('begun')}</dt>
        <dd className="tabular">{time(begun ?? bulk.created)}</dd>
        {ended !== undefined && (
          <>
            <dt>{say('ended')}</dt>
            <dd className="tabular">
              {time(ended)}{' '}
              <span className="quiet">
                {durationText(Date.parse(ended) - Date.parse(begun ?? bulk.created))}
              </span>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Problems({ bulk: { problems, failed, bucket } }: { readonly bulk: BulkRecord }) {
  const say = useTranslations('bulk');
  return (
    <section className="section">
      <header>
        <h2>{say('problems')}</h2>
        {failed > problems.length && (
          <span className="quiet text-small">{say('firstOf', { number: number(problems.length) })}</span>
        )}
      </header>
      <RecordTable
        label={say('problems')}
        rows={problems}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'key',
            header: say('key'),
            value: ({ key }) => key,
            cell: ({ key }) => <Link {...objectAddress(bucket, key)}>{key}</Link>,
          },
          { id: 'words', header: say('why'), tone: 'soft' },
        ]}
      />
    </section>
  );
}

export const BulkDetailScreen = createLazyRoute('/shell/bulk/$id')({ component: BulkDetail });
