/** Every queue of background work: what waits, since when, and the most that waited in the last hour. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';
import { durationText } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
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
  const queues = useQueues();
  return (
    <div className="section">
      <header>
        <h2>{say('queues')}</h2>
      </header>
      <RecordTable
        label={say('queues')}
        frame="scroll"
        rows={queues.data}
        rowKey={({ name }) => name}
        query={queues}
        failure={say('queues.failed')}
        columns={[
          { id: 'name', header: say('queue'), kind: 'code', width: '34%' },
          { id: 'waiting', header: say('depth.now'), kind: 'number' },
          {
            id: 'oldest',
            header: say('oldest.now'),
            kind: 'number',
            value: ({ waiting, oldest }) => (waiting === 0 ? undefined : oldest * 1000),
            format: durationText,
          },
          { id: 'most', header: say('queues.most'), kind: 'number', tone: 'quiet' },
        ]}
      />
    </div>
  );
}
