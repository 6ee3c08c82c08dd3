/** The bucket's own host names. */

import { encodeBase64Text } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './bucket-settings.module.css';
import { Rules } from './rules.tsx';
import { Setting } from './setting.tsx';
import { useChange } from './use-change.ts';

function Domains() {
  const { bucket } = DomainsScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [domain, setDomain] = useState('');
  const queryKey = ['bucket-settings', account, bucket, 'domains'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.buckets.domainRecords(bucket, { signal }),
  });
  const bind = useChange({
    change: async (name: string) => {
      await client.buckets.bindDomain(name, bucket);
      setDomain('');
    },
    done: (name) => say('domains.bound', { name }),
    renews: [queryKey],
  });
  const free = useChange({
    change: (name: string) => client.buckets.unbindDomain(name),
    done: (name) => say('domains.freed', { name }),
    renews: [queryKey],
  });
  const shown = domain.trim() || 'files.example.com';
  return (
    <Setting
      bucket={bucket}
      title={say('domains.title')}
      words={[say('domains.words'), say('domains.words2'), say('domains.words3')]}
      commands={{
        curl: curl({
          role: 'uc',
          method: 'POST',
          target: `/publish/${encodeBase64Text(shown)}/from/${bucket}`,
        }),
        cli: `millpond bucket domain :${bucket} --add ${shown}`,
        sdk: `await client.buckets.bindDomain('${shown}', '${bucket}');`,
      }}
    >
      <form
        className={styles.inlineForm}
        onSubmit={(event) => {
          event.preventDefault();
          void bind.run(domain.trim());
        }}
      >
        <TextField
          label={say('domains.new')}
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          placeholder="files.example.com"
          autoComplete="off"
          required
        />
        <Button kind="primary" type="submit" size="large" waits={bind.isPending}>
          {say('domains.bind')}
        </Button>
      </form>
      {bind.error !== null && <Failure error={bind.error} what={say('domains.notBound')} />}
      <Rules
        label={say('domains.title')}
        items={data?.map((record) => ({
          name: record.domain,
          head: (
            <>
              <a href={`https://${record.domain}/`} target="_blank" rel="noreferrer noopener">
                {record.domain}
              </a>
              <Copy text={record.domain} />
            </>
          ),
          words: say('domains.since', { time: time(record.ctime * 1000) }),
        }))}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('domains.none')} words={say('domains.noneWords')} />}
        remove={({ name }) => free.attempt(name)}
        removes={say('domains.removes')}
      />
    </Setting>
  );
}

export const DomainsScreen = createLazyRoute('/shell/buckets/$bucket/domains')({ component: Domains });
