/** The trash of every bucket: each has its own. */

import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslations } from '../../lib/words.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useBucketList } from '../buckets/use-buckets.ts';
import styles from './trash.module.css';

function TrashPlaces() {
  const say = useTranslations('trash');
  const { data, error, refetch } = useQuery(useBucketList());
  return (
    <Screen title={say('title')} className={styles.screen}>
      <p className={`soft ${styles.intro}`}>{say('places')}</p>
      {error !== null && <Failure error={error} what={say('failed')} again={() => void refetch()} />}
      {data?.length === 0 && <Empty title={say('noBucket')} />}
      <ul className={styles.places}>
        {data?.map(({ name }) => (
          <li key={name}>
            <Link
              to="/buckets/$bucket/trash"
              params={{ bucket: name }}
              search={({ account }) => ({ account })}
              className="weight-medium"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

export const TrashPlacesScreen = createLazyRoute('/shell/trash')({ component: TrashPlaces });
