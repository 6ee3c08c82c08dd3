/** One object beside the list: a look at it, what is known of it, and what can be done with it. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { splitKey } from '../address.ts';
import objectsStyles from '../objects.module.css';
import { ObjectActions } from './acts.tsx';
import styles from './detail.module.css';
import { Facts } from './facts.tsx';
import { usePanelWidth } from './panel-edge.tsx';
import { Preview } from './preview.tsx';
import { Restored } from './restored.tsx';
import { Share } from './share.tsx';

const RENEWED_MS = 5_000;
const RESTORING = 1;

export function Detail({
  bucket,
  objectKey,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const { data: object, error, refetch } = useQuery(useObject(bucket, objectKey));
  const { prefix, name } = splitKey(objectKey);
  const { width, edge } = usePanelWidth();
  return (
    <aside
      className={`pane ${styles.detail} ${objectsStyles.detail}`}
      aria-label={say('detail', { key: name })}
      style={{ '--panel': `${width}px` } as CSSProperties}
    >
      {edge}
      {object !== undefined && <Preview bucket={bucket} objectKey={objectKey} object={object} />}
      <Button
        className={`${styles.back} phone-only`}
        icon={<X className="icon" aria-hidden />}
        aria-label={say('closeDetail')}
        onClick={close}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
      <div className={`scroll ${styles.panelBody}`} tabIndex={0}>
        <div className={styles.panelTitle}>
          <div className="grow">
            <h2 className="truncate">{name === '' ? say('noName') : name}</h2>
            <p className="quiet text-small truncate">
              {[bucket, ...prefix.split('/').slice(0, -1)].join(' / ')}
            </p>
          </div>
          <Copy text={objectKey} label={say('copyKey')} />
          <button type="button" className="copy desktop-only" aria-label={say('closeDetail')} onClick={close}>
            <X className="icon" aria-hidden />
          </button>
        </div>
        {error !== null && <Failure error={error} what={say('noObject')} again={() => void refetch()} />}
        {object !== undefined && (
          <>
            <ObjectActions bucket={bucket} objectKey={objectKey} object={object} close={close} />
            <Restored object={object} />
            <Facts bucket={bucket} objectKey={objectKey} object={object} />
            <Share bucket={bucket} objectKey={objectKey} />
          </>
        )}
      </div>
    </aside>
  );
}

/** What the server knows of an object; renewed while a restore is under way. */
function useObject(bucket: string, key: string) {
  const { client, account } = useSession();
  return queryOptions({
    queryKey: ['objects', account, bucket, key],
    queryFn: ({ signal }) => client.objects.stat(bucket, key, { signal }),
    refetchInterval: ({ state }) => (state.data?.restoreStatus === RESTORING ? RENEWED_MS : false),
  });
}
