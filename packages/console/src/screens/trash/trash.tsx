/** What was deleted or replaced in a bucket, until it is gone for good; and the way back. */
import type { TrashedObject } from '@millpond/client/session';
import { createLazyRoute } from '@tanstack/react-router';
import { Search, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number } from '../../lib/format.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMessages } from '../../ui/messages.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { useAction } from '../../ui/use-action.ts';
import { BucketFrame } from '../bucket-frame/bucket-frame.tsx';
import { notifyBucketChanged } from '../objects/changes.ts';
import styles from './trash.module.css';
import { useTrashColumns } from './trash-columns.tsx';
import { useTrash } from './use-trash.ts';

/** As many as one request takes. */
const MAX_AT_ONCE = 1000;

function Trash() {
  const say = useTranslations('trash');
  const { bucket } = TrashScreen.useParams();
  const { begins = '' } = TrashScreen.useSearch();
  const navigate = TrashScreen.useNavigate();
  const curl = useCurl();
  const field = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const trash = useTrash(bucket, begins);
  const undelete = useUndelete(bucket, () => setSelected(new Set()));
  const columns = useTrashColumns((id) => void undelete.run([id]));
  useShortcuts({ '/': () => field.current?.focus() });
  const items = trash.data?.pages.flatMap((page) => page.items);
  return (
    <BucketFrame bucket={bucket} className={styles.screen}>
      <div className={styles.tools}>
        <label className={`input ${styles.filter}`}>
          <Search className="icon" aria-hidden />
          <input
            ref={field}
            value={begins}
            placeholder={say('begins')}
            aria-label={say('begins')}
            onChange={({ target: { value } }) =>
              void navigate({
                to: '.',
                replace: true,
                search: (was) => ({ ...was, begins: value === '' ? undefined : value }),
              })
            }
          />
          <kbd className="desktop-only">/</kbd>
        </label>
        <span className="grow" />
        <Button
          kind="primary"
          icon={<Undo2 className="icon" aria-hidden />}
          disabled={selected.size === 0}
          waits={undelete.isPending}
          onClick={() => void undelete.run([...selected])}
        >
          {selected.size === 0 ? say('undelete') : say('undeleteSome', { number: number(selected.size) })}
        </Button>
      </div>
      {undelete.error !== null && <Failure error={undelete.error} what={say('notBack')} />}
      <RecordTable
        label={say('title')}
        frame="inset"
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        query={trash}
        failure={say('failed')}
        empty={<Empty title={say(begins === '' ? 'none' : 'noneBegins')} words={say('noneWords')} />}
        selection={{
          selected,
          onChange: setSelected,
          label: ({ key }) => say('choose', { key }),
          allLabel: say('chooseAll'),
          max: MAX_AT_ONCE,
        }}
      />
      <div className={styles.same}>
        <CommandTabs
          commands={{
            curl: curl({
              role: 'api',
              target: `/v1/trash/${bucket}${begins === '' ? '' : `?prefix=${encodeURIComponent(begins)}`}`,
            }),
            cli: `millpond trash list ${shellWord(`:${bucket}/${begins}`)}\nmillpond trash undelete ${shellWord(`:${bucket}/${items?.[0]?.key ?? 'key'}`)}`,
            sdk: `for await (const { id, key } of client.trash.list('${bucket}')) console.log(id, key);\nawait client.trash.undelete('${bucket}', [id]);`,
          }}
        />
      </div>
    </BucketFrame>
  );
}

/** Those that did not come back are told with the reason; the others are in the bucket again. */
function useUndelete(bucket: string, done: () => void) {
  const say = useTranslations('trash');
  const client = useClient();
  const tell = useMessages();
  return useAction({
    act: (ids: readonly TrashedObject['id'][]) => client.trash.undelete(bucket, ids),
    after(outcomes) {
      const failed = outcomes.filter(({ error }) => error !== undefined);
      const back = outcomes.length - failed.length;
      if (back > 0) tell({ words: say('back', { count: back, number: number(back) }) });
      const [first] = failed;
      if (first !== undefined)
        tell({
          state: 'bad',
          words: say('notAll', {
            count: failed.length,
            key: first.key ?? first.id,
            words: first.error ?? '',
          }),
        });
      notifyBucketChanged(bucket);
      done();
    },
    renews: [['trash']],
    failure: 'inline',
  });
}

export const TrashScreen = createLazyRoute('/shell/buckets/$bucket/trash')({ component: Trash });
