/** What a bucket holds now, by class, and how much of its quota that is. */
import type { Quota, UsageRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';
import { bytes, number, percent } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { type StorageClass, StorageClassLabel } from '../../../ui/depth.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { RecordTable } from '../../../ui/records/record-table.tsx';
import styles from '../bucket-settings.module.css';

export function UsageFigures({ bucket, quota }: { readonly bucket: string; readonly quota: Quota }) {
  const say = useTranslations('bucket-settings');
  const { client, account } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['bucket-settings', account, bucket, 'usage'],
    queryFn: ({ signal }) => client.accounts.usage({ bucket, signal }),
    refetchInterval: 5_000,
  });
  if (error !== null) return <Failure error={error} what={say('notRead')} again={() => void refetch()} />;
  if (data === undefined) return <div className={`skeleton ${styles.rulesSkeleton}`} aria-hidden />;
  return (
    <>
      <div className={styles.twoColumns}>
        <Held
          label={say('quota.held')}
          value={bytes(data.bytes)}
          exact={`${number(data.bytes)} B`}
          share={quota.size > 0 ? data.bytes / quota.size : undefined}
          of={quota.size > 0 ? bytes(quota.size) : undefined}
        />
        <Held
          label={say('quota.objects')}
          value={number(data.objects)}
          share={quota.count > 0 ? data.objects / quota.count : undefined}
          of={quota.count > 0 ? number(quota.count) : undefined}
        />
      </div>
      <Classes classes={data.classes} />
    </>
  );
}

function Held({
  label,
  value,
  exact,
  share,
  of,
}: {
  readonly label: string;
  readonly value: string;
  readonly exact?: string;
  readonly share: number | undefined;
  readonly of: string | undefined;
}) {
  const say = useTranslations('bucket-settings');
  return (
    <div className={styles.held}>
      <span className="quiet text-small">{label}</span>
      <b title={exact} className="tabular">
        {value}
      </b>
      {share !== undefined && of !== undefined && (
        <>
          <meter className="visually-hidden" min={0} max={1} value={share} aria-label={label} />
          <span className={`meter ${share >= 1 ? 'bad' : share >= 0.9 ? 'warn' : ''}`} aria-hidden>
            <i style={{ width: `${Math.min(100, share * 100)}%` }} />
          </span>
          <span className="quiet text-small">{say('quota.of', { share: percent(share), of })}</span>
        </>
      )}
    </div>
  );
}

function Classes({ classes }: { readonly classes: UsageRecord['classes'] }) {
  const say = useTranslations('bucket-settings');
  return (
    <RecordTable
      label={say('quota.class')}
      className={styles.classes}
      rows={classes}
      rowKey={({ type }) => `${type}`}
      columns={[
        {
          id: 'class',
          header: say('quota.class'),
          width: '50%',
          cell: ({ type }) => <StorageClassLabel type={type as StorageClass} />,
        },
        { id: 'objects', header: say('quota.objects'), kind: 'number' },
        { id: 'bytes', header: say('quota.held'), kind: 'number', format: bytes },
      ]}
    />
  );
}
