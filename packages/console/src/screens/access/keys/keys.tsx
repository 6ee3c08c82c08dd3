/** The account's access keys: what each may do, when it was last used, and their exchange without a gap. */
import type { AccessKeyRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Screen } from '../../../ui/screen.tsx';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { KeyRow } from './key-row.tsx';
import { NewKey } from './new-key.tsx';

const EVERY_MS = 15_000;
const route = getRouteApi('/shell/keys/$key');

function Keys({ chosen }: { readonly chosen?: string }) {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account, accessKey } = useSession();
  const [isNew, setNew] = useState(false);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['access', account, 'keys'],
    queryFn: ({ signal }) => client.accounts.keys({ signal }),
    refetchInterval: EVERY_MS,
  });
  const [unlimited, limited] = split(data ?? []);
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
        {error !== null && <Failure error={error} what={say('keys.failed')} again={() => void refetch()} />}
        <KeyTable
          title={say('keys.whole')}
          words={say('keys.whole.words')}
          keys={unlimited}
          chosen={chosen}
          waits={isPending}
        />
        <KeyTable
          title={say('keys.limited')}
          words={say('keys.limited.words')}
          keys={limited}
          chosen={chosen}
          waits={isPending}
        />
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

function split(keys: readonly AccessKeyRecord[]): [AccessKeyRecord[], AccessKeyRecord[]] {
  return [
    keys.filter(({ limits }) => limits === undefined),
    keys.filter(({ limits }) => limits !== undefined),
  ];
}

function KeyTable({
  title,
  words,
  keys,
  chosen,
  waits,
}: {
  readonly title: string;
  readonly words: string;
  readonly keys: readonly AccessKeyRecord[];
  readonly chosen: string | undefined;
  readonly waits: boolean;
}) {
  const say = useTranslations('access');
  return (
    <section className="section">
      <header>
        <h2>{title}</h2>
        <span className="quiet text-small">{words}</span>
      </header>
      {!waits && keys.length === 0 ? (
        <p className="soft">{say('keys.none')}</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>{say('key')}</th>
              <th style={{ width: 112 }}>{say('kind')}</th>
              <th style={{ width: 112 }}>{say('state')}</th>
              <th style={{ width: 176 }}>{say('lastUsed')}</th>
              <th>{say('limits')}</th>
              <th style={{ width: 48 }}>
                <span className="visually-hidden">{say('acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((each) => (
              <KeyRow key={each.key} shown={each} isChosen={each.key === chosen} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export const KeysScreen = createLazyRoute('/shell/keys')({ component: () => <Keys /> });
export const KeyScreen = createLazyRoute('/shell/keys/$key')({
  component: () => <Keys chosen={route.useParams().key} />,
});
