/** The account's access keys: what each may do, when it was last used, and their exchange without a gap. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Screen } from '../../../ui/screen.tsx';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';

const EVERY_MS = 15_000;
const route = getRouteApi('/shell/keys/$key');

function Keys({ currentKey }: { readonly currentKey?: string }) {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account, accessKey } = useSession();
  const [isNew, setNew] = useState(false);
  const keys = useQuery({
    queryKey: ['access', account, 'keys'],
    queryFn: ({ signal }) => client.accounts.keys({ signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Screen
      title={say('keys.title')}
      className={styles.screen}
      acts={
        accessKey === undefined && (
          <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
            {say('keys.new')}
          </Button>
        )
      }
    >
      <AccessTabs />
      <div className={styles.sections}>
        <KeyTable
          title={say('keys.whole')}
          words={say('keys.whole.words')}
          keys={keys.data?.filter(({ limits }) => limits === undefined)}
          query={keys}
          currentKey={currentKey}
        />
        {keys.data !== undefined && (
          <KeyTable
            title={say('keys.limited')}
            words={say('keys.limited.words')}
            keys={keys.data.filter(({ limits }) => limits !== undefined)}
            currentKey={currentKey}
          />
        )}
        <section className="section">
          <header>
            <h2>{say('same')}</h2>
          </header>
          <CommandTabs
            commands={{
              curl: curl({ role: 'api', target: '/v1/user/keys', signed: true }),
              cli: 'millpond key list\nmillpond key create --bucket photos --may read,list',
              sdk: "await client.accounts.keys();\nawait client.accounts.createKey({ limits: { buckets: ['photos'], actions: ['read', 'list'] } });",
            }}
          />
        </section>
      </div>
      {isNew && <NewKey close={() => setNew(false)} />}
    </Screen>
  );
}

export const KeysScreen = createLazyRoute('/shell/keys')({ component: () => <Keys /> });
export const KeyScreen = createLazyRoute('/shell/keys/$key')({
  component: () => <Keys currentKey={route.useParams().key} />,
});
