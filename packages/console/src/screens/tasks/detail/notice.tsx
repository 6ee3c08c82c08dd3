/** What became of the notice of a task's end. */
import type { DeliveryRecord, OwnTaskRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { clock } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { type MarkState, StatusMark } from '../../../ui/mark.tsx';
import { Sentence } from '../../../ui/sentence.tsx';

/** It is written in the commit that ends the task: this much around it is looked at. */
const AROUND_MS = 5_000;
const MOST_READ = 1000;

const MARKS: Readonly<Record<DeliveryRecord['state'], MarkState>> = {
  delivered: 'ok',
  waiting: 'busy',
  unsent: 'wait',
  failed: 'bad',
};

function useNotice({ id, finishDate }: OwnTaskRecord) {
  const { client, account } = useSession();
  return useQuery<DeliveryRecord | null>({
    queryKey: ['deliveries', account, 'of-task', id],
    enabled: finishDate !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' || data?.state === 'unsent' ? 5_000 : false,
    queryFn: async ({ signal }) => {
      const at = Date.parse(finishDate ?? '');
      const since = new Date(at - AROUND_MS).toISOString();
      const until = new Date(at + AROUND_MS).toISOString();
      let read = 0;
      for await (const delivery of client.deliveries.list({ since, until, signal })) {
        if (delivery.kind === 'notification' && delivery.subject === id) return delivery;
        if (++read >= MOST_READ) break;
      }
      return null;
    },
  });
}

/** As the end of a sentence on the task. */
export function NoticeState({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const { data } = useNotice(task);
  if (!data) return null;
  return <Sentence text={say(`notice.${data.state}`)} parts={{ state: <NoticeLink notice={data} /> }} />;
}

/** As a fact. */
export function NoticeFact({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const { data, isPending } = useNotice(task);
  if (!data)
    return (
      <span className="quiet">
        {task.finishDate === undefined || isPending ? say('notice.later') : say('notice.none')}
      </span>
    );
  return (
    <>
      <span className="state">
        <StatusMark state={MARKS[data.state]} />
        <NoticeLink notice={data} />
      </span>
      <span className="quiet text-small tabular">{clock(data.created)}</span>
    </>
  );
}

function NoticeLink({ notice }: { readonly notice: DeliveryRecord }) {
  const say = useTranslations('tasks');
  return (
    <Link
      to={'/deliveries/$id' as '/'}
      params={{ id: notice.id } as never}
      search={(was) => ({ account: was.account })}
      title={notice.url}
    >
      {say(`noticeState.${notice.state}`)}
    </Link>
  );
}
