/** What stands around every screen of one bucket: its name, whether anybody may read it, and the tabs of what can be seen and set. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Globe, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from './bucket-frame.module.css';
import { BucketTabs } from './bucket-tabs.tsx';
import { useBucketInfo } from './use-bucket-info.ts';

export function BucketFrame({
  bucket,
  acts,
  facts,
  children,
  className = '',
  scrolls = true,
}: {
  readonly bucket: string;
  /** Of the bar: buttons. */
  readonly acts?: ReactNode;
  /** Beside the name, after what every screen of a bucket says of it. */
  readonly facts?: ReactNode;
  /** Fills what is left of the page. */
  readonly children: ReactNode;
  /** False: parts of it scroll, it does not. */
  readonly scrolls?: boolean;
  /** `s-<area>`: the root of the area's own styles. */
  readonly className?: string | undefined;
}) {
  const say = useTranslations('bucket-frame');
  const info = useQuery(useBucketInfo(bucket));
  return (
    <Screen
      title={bucket}
      className={`${styles.bucketFrame} ${className}`}
      crumbs={
        <>
          <Link className="desktop-only" to={'/buckets' as '/'} search={({ account }) => ({ account })}>
            {say('buckets')}
          </Link>
          <span className="separator desktop-only">/</span>
        </>
      }
      facts={
        <>
          {info.data !== undefined && <Openness isPrivate={info.data.private === 1} />}
          {info.data !== undefined && (
            <span className="quiet text-small desktop-only">{info.data.region}</span>
          )}
          {facts}
        </>
      }
      acts={acts}
    >
      <BucketTabs bucket={bucket} />
      {info.error === null ? (
        <div className={scrolls ? styles.bucketBody : `${styles.bucketBody} ${styles.still}`}>{children}</div>
      ) : (
        <div className={`${styles.bucketBody} ${styles.bucketFailed}`}>
          <Failure error={info.error} what={say('failed', { bucket })} again={() => void info.refetch()} />
        </div>
      )}
    </Screen>
  );
}

function Openness({ isPrivate }: { readonly isPrivate: boolean }) {
  const say = useTranslations('bucket-frame');
  const Icon = isPrivate ? Lock : Globe;
  return (
    <span className="tag">
      <Icon className="icon" aria-hidden />
      {say(isPrivate ? 'private' : 'public')}
    </span>
  );
}
