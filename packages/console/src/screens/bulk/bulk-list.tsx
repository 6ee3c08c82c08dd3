/** Work on many objects that the server does in the background, newest first. */
import type { BulkRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { firstOf } from '../../lib/first-of.ts';
import { bytes, number, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import styles from './bulk.module.css';
import { Progress } from './progress.tsx';
import { type BulkState, MARKS, STATES } from './states.ts';

const RENEWED_MS = 5_000;
const MOST_SHOWN = 200;

function BulkList() {
  const say = useTranslations('bulk');
  const { state } = BulkListScreen.useSearch();
  const navigate = BulkListScreen.useNavigate();
  const { client, account } = useSession();
  const curl = useCurl();
  const list = useQuery({
    queryKey: ['bulk', account, 'list', state],
    queryFn: ({ signal }) => firstOf(client.bulk.list({ state, signal }), MOST_SHOWN),
    refetchInterval: RENEWED_MS,
  });
  const all = 'all' as const;
  return (
    <Screen title={say('title')} className={styles.screen}>
      <div className={styles.tools}>
        <Segments<BulkState | 'all'>
          label={say('stateLabel')}
          value={state ?? all}
          options={[all, ...STATES].map((value) => ({ value, words: say(`state.${value}`) }))}
          onChange={(value) =>
            void navigate({
              to: '.',
              search: (was) => ({ ...was, state: value === all ? undefined : value }),
            })
          }
        />
      </div>
      <RecordTable
        label={say('title')}
        frame="inset"
        rows={list.data}
        rowKey={({ id }) => id}
        query={list}
        failure={say('failed')}
        empty={<Empty title={say('none')} words={say('noneWords')} />}
        columns={[
          {
            id: 'what',
            header: say('what'),
            cell: (bulk) => (
              <>
                <Link to="/bulk/$id" params={{ id: bulk.id }} search={({ account }) => ({ account })}>
                  {say(`kind.${bulk.kind}`)}
                </Link>{' '}
                <code className="quiet">{placeOf(bulk)}</code>
              </>
            ),
          },
          {
            id: 'state',
            header: say('stateLabel'),
            className: styles.stateColumn,
            cell: (bulk) => (
              <span className="row">
                <StatusMark state={MARKS[bulk.state]} />
                {say(`state.${bulk.state}`)}
              </span>
            ),
          },
          {
            id: 'progress',
            header: say('progress'),
            width: 160,
            onPhone: 'hidden',
            cell: (bulk) => <Progress bulk={bulk} />,
          },
          {
            id: 'done',
            header: say('done'),
            kind: 'number',
            className: styles.doneColumn,
            value: ({ done }) => done,
            cell: ({ done, failed }) => (
              <>
                {number(done)}
                {failed > 0 && <span className="bad"> {say('notDone', { number: number(failed) })}</span>}
              </>
            ),
          },
          { id: 'bytes', header: say('bytes'), kind: 'number', width: 110, onPhone: 'hidden', format: bytes },
          {
            id: 'created',
            header: say('begun'),
            kind: 'time',
            tone: 'soft',
            onPhone: 'hidden',
            className: styles.atColumn,
            format: shortTime,
          },
        ]}
      />
      <div className={styles.same}>
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: `/v1/bulk${state === undefined ? '' : `?state=${state}`}` }),
            cli: `millpond bulk list${state === undefined ? '' : ` --state ${state}`}`,
            sdk: `for await (const bulk of client.bulk.list(${state === undefined ? '' : `{ state: '${state}' }`})) console.log(bulk);`,
          }}
        />
      </div>
    </Screen>
  );
}

function placeOf({ bucket, prefix, keys }: BulkRecord): string {
  return `${bucket}/${keys?.[0] ?? prefix ?? ''}${keys !== undefined && keys.length > 1 ? ' …' : ''}`;
}

export const BulkListScreen = createLazyRoute('/shell/bulk')({ component: BulkList });
