/** Every queue of background work: what waits, since when, and the most that waited in the last hour. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';
import { durationText, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { queueRows } from './queue-rows.ts';

const EVERY_MS = 15_000;
const HOUR = 3600;
const STEP = 60;

/** Their names are the server's: all figures are asked for. */
export function useQueues() {
  const { client } = useSession();
  return useQuery({
    queryKey: ['engines', 'queues'],
    queryFn: async ({ signal }) => {
      const to = Math.ceil(Date.now() / 1000 / STEP) * STEP;
      return queueRows((await client.operator.figures({ from: to - HOUR, to, step: STEP, signal })).series);
    },
    refetchInterval: EVERY_MS,
  });
}

export function Queues() {
  const say = useTranslations('overview');
  const { data, error, refetch } = useQueues();
  return (
    <div className="section">
      <header>
        <h2 id="queues">{say('queues')}</h2>
      </header>
      {error !== null && data === undefined && (
        <Failure error={error} what={say('queues.failed')} again={() => void refetch()} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone is scrolled by keys. */}
      <section className="scroll" tabIndex={0} aria-labelledby="queues">
        <table className="table">
          <thead>
            <tr>
              <th style={{ width: '34%' }}>{say('queue')}</th>
              <th className="numeric">{say('depth.now')}</th>
              <th className="numeric">{say('oldest.now')}</th>
              <th className="numeric">{say('queues.most')}</th>
            </tr>
          </thead>
          <tbody>
            {data?.map(({ name, waiting, oldest, most }) => (
              <tr key={name}>
                <td className="mono">{name}</td>
                <td className="numeric">{number(waiting)}</td>
                <td className="numeric">{waiting === 0 ? '' : durationText(oldest * 1000)}</td>
                <td className="numeric quiet">{number(most)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
