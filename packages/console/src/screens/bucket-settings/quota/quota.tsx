/** How much the bucket may hold, how much it holds, and how many requests it had. */
import type { Quota as QuotaRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { QuotaForm } from './quota-form.tsx';
import { UsageDays } from './usage-days.tsx';
import { UsageFigures } from './usage-figures.tsx';

function Quota() {
  const { bucket } = QuotaScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const queryKey = ['bucket-settings', account, bucket, 'quota'];
  const quota = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.buckets.quota(bucket, { signal }),
  });
  const change = useChange({
    change: (wanted: QuotaRecord) => client.buckets.setQuota(bucket, wanted),
    done: () => say('quota.saved'),
    renews: [queryKey],
  });
  const { size, count } = quota.data ?? { size: -1, count: -1 };
  const word = (limit: number) => (limit === -1 ? 'none' : limit);
  return (
    <Setting
      bucket={bucket}
      title={say('quota.title')}
      words={[say('quota.words'), say('quota.words2'), say('quota.words3')]}
      commands={{
        curl: curl({
          role: 'uc',
          method: 'POST',
          target: `/setbucketquota/${bucket}/size/${size}/count/${count}`,
        }),
        cli: `millpond bucket set :${bucket} \\\n  --max-size ${word(size)} --max-objects ${word(count)}\nmillpond usage show --at :`,
        sdk: `await client.buckets.setQuota('${bucket}',\n  { size: ${size}, count: ${count} });\nawait client.accounts.usage({ bucket: '${bucket}' });`,
      }}
    >
      {quota.error !== null && (
        <Failure error={quota.error} what={say('notRead')} again={() => void quota.refetch()} />
      )}
      {quota.data !== undefined && (
        <>
          <UsageFigures bucket={bucket} quota={quota.data} />
          <QuotaForm
            key={`${size} ${count}`}
            quota={quota.data}
            save={(wanted) => void change.run(wanted)}
            waits={change.isPending}
          />
        </>
      )}
      {change.error !== null && <Failure error={change.error} what={say('notSaved')} />}
      <UsageDays bucket={bucket} />
    </Setting>
  );
}

export const QuotaScreen = createLazyRoute('/shell/buckets/$bucket/quota')({ component: Quota });
