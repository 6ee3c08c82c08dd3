/** The account's buckets: what each stores, who may read it, and where it is. */
import { createLazyRoute } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useRef } from 'react';
import { useCurl } from '../../lib/curl.ts';
import { bytes, number } from '../../lib/format.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { type Commands, CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { BucketTable } from './bucket-table.tsx';
import styles from './buckets.module.css';
import { CreateBucket } from './create-bucket.tsx';
import { useBuckets } from './use-buckets.ts';

function Buckets() {
  const say = useTranslations('buckets');
  const { find = '', create = false } = BucketsScreen.useSearch();
  const navigate = BucketsScreen.useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const { rows, list, usage } = useBuckets();
  const commands = useListCommands();
  useShortcuts({ '/': () => field.current?.focus() });
  const openCreate = (isOpen: boolean) =>
    void navigate({ to: '.', search: (was) => ({ ...was, create: isOpen || undefined }) });
  return (
    <Screen
      title={say('title')}
      className={styles.screen}
      facts={
        usage.data && (
          <span className="quiet text-small tabular desktop-only">
            {say('total', { bytes: bytes(usage.data.bytes), objects: number(usage.data.objects) })}
          </span>
        )
      }
    >
      <div className={styles.tools}>
        <label className={`input ${styles.filter}`}>
          <Search className="icon" aria-hidden />
          <input
            ref={field}
            value={find}
            placeholder={say('find')}
            aria-label={say('find')}
            onChange={({ target: { value } }) =>
              void navigate({
                to: '.',
                replace: true,
                search: (was) => ({ ...was, find: value === '' ? undefined : value }),
              })
            }
          />
          <kbd className="desktop-only">/</kbd>
        </label>
        <span className="grow" />
        <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => openCreate(true)}>
          {say('create')}
        </Button>
      </div>
      {usage.error !== null && <Failure error={usage.error} what={say('noFigures')} />}
      <BucketTable
        rows={rows?.filter(({ name }) => name.includes(find))}
        query={list}
        empty={
          find === '' ? (
            <Empty title={say('none.title')} words={say('none.words')}>
              <Button kind="primary" onClick={() => openCreate(true)}>
                {say('create')}
              </Button>
            </Empty>
          ) : (
            <Empty title={say('none.found', { find })} words={say('none.foundWords')} />
          )
        }
      />
      <div className={styles.same}>
        <CommandTabs commands={commands} />
      </div>
      <CreateBucket isOpen={create} close={() => openCreate(false)} />
    </Screen>
  );
}

function useListCommands(): Commands {
  const curl = useCurl();
  return {
    curl: curl({ role: 'uc', target: '/buckets?apiVersion=v4' }),
    cli: 'millpond ls\nmillpond usage show',
    sdk: 'for await (const bucket of client.buckets.list()) console.log(bucket.name);\nawait client.accounts.usage();',
  };
}

export const BucketsScreen = createLazyRoute('/shell/buckets')({ component: Buckets });
