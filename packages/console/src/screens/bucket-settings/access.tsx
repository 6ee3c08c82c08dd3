/** Who may read a bucket: everybody, or whoever has a signed URL. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useBucketInfo } from '../bucket-frame/use-bucket-info.ts';
import { Setting } from './setting.tsx';
import { useChange } from './use-change.ts';

function Access() {
  const { bucket } = AccessScreen.useParams();
  const say = useTranslations('bucket-settings');
  const client = useClient();
  const curl = useCurl();
  const info = useBucketInfo(bucket);
  const { data } = useQuery(info);
  const [asks, setAsks] = useState(false);
  const change = useChange({
    change: (isPrivate: boolean) => client.buckets.setPrivate(bucket, isPrivate),
    done: (isPrivate) => say(isPrivate ? 'access.isPrivate' : 'access.isPublic', { bucket }),
    renews: [info.queryKey],
  });
  const isPrivate = data?.private === 1;
  const ways = [
    { isPrivate: true, name: 'private' },
    { isPrivate: false, name: 'public' },
  ] as const;
  return (
    <Setting
      bucket={bucket}
      title={say('access.title')}
      words={[say('access.words'), say('access.words2')]}
      commands={{
        curl: curl({ role: 'uc', target: '/private', form: { bucket, private: isPrivate ? 0 : 1 } }),
        cli: `millpond bucket set :${bucket} --${isPrivate ? 'public' : 'private'}`,
        sdk: `await client.buckets.setPrivate('${bucket}', ${!isPrivate});`,
      }}
    >
      {data !== undefined && (
        <div role="radiogroup" aria-label={say('access.title')}>
          {ways.map((way) => (
            <label key={way.name} className="radio">
              <input
                type="radio"
                name="access"
                checked={way.isPrivate === isPrivate}
                disabled={change.isPending}
                onChange={() => (way.isPrivate ? void change.run(true) : setAsks(true))}
              />
              <span>
                <b>{say(`access.${way.name}`)}</b>
                <span>{say(`access.${way.name}Words`)}</span>
              </span>
            </label>
          ))}
        </div>
      )}
      {change.error !== null && <Failure error={change.error} what={say('access.failed')} />}
      <Confirm
        title={say('access.open', { bucket })}
        act={say('access.openAct')}
        isOpen={asks}
        close={() => setAsks(false)}
        onConfirm={() => change.attempt(false)}
      >
        <p>{say('access.openWords')}</p>
      </Confirm>
    </Setting>
  );
}

export const AccessScreen = createLazyRoute('/shell/buckets/$bucket/access')({ component: Access });
