/** Work on many objects that the server does in the background, newest first. */
import type { BulkRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { bytes, number, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
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
  const { data, error, refetch } = useQuery({
    queryKey: ['bulk', account, 'list', state],
    async queryFn({ signal }) {
      const found = [];
      for await (const each of client.bulk.list({ state, signal })) if (found.push(each) >= MOST_SHOWN) break;
      return found;
    },
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
      {error !== null && <Failure error={error} what={say('failed')} again={() => void refetch()} />}
      {data?.length === 0 && <Empty title={say('none')} words={say('noneWords')} />}
      {data !== undefined && data.length > 0 && (
        <div className="inset">
          <table className="table">
            <thead>
              <tr>
                <th>{say('what')}</th>
                <th className={styles.stateColumn}>{say('stateLabel')}</th>
                <th className={`${styles.progressColumn} desktop-only`}>{say('progress')}</th>
                <th className={`numeric ${styles.doneColumn}`}>{say('done')}</th>
                <th className={`numeric ${styles.bytesColumn} desktop-only`}>{say('bytes')}</th>
                <th className={`${styles.atColumn} desktop-only`}>{say('begun')}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((bulk) => (
                <tr key={bulk.id}>
                  <td>
                    <Link
                      to="/bulk/$id"
                      params={{ id: bulk.id }}
                      search={(was) => ({ account: was.account })}
                    >
                      {say(`kind.${bulk.kind}`)}
                    </Link>{' '}
                    <code className="quiet">{placeOf(bulk)}</code>
                  </td>
                  <td>
                    <span className="row">
                      <StatusMark state={MARKS[bulk.state]} />
                      {say(`state.${bulk.state}`)}
                    </span>
                  </td>
                  <td className="desktop-only">
                    <Progress bulk={bulk} />
                  </td>
                  <td className="numeric">
                    {number(bulk.done)}
                    {bulk.failed > 0 && (
                      <span className="bad"> {say('notDone', { number: number(bulk.failed) })}</span>
                    )}
                  </td>
                  <td className="numeric desktop-only">{bytes(bulk.bytes)}</td>
                  <td className="desktop-only soft tabular" title={time(bulk.created)}>
                    {shortTime(bulk.created)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
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
