/** Drops a bucket, which must be empty: the name is typed, since domains and settings go with it. */
import { useClient } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { BucketRow } from './use-buckets.ts';

export function DropBucket({ bucket, close }: { readonly bucket: BucketRow; readonly close: () => void }) {
  const say = useTranslations('buckets');
  const client = useClient();
  const curl = useCurl();
  const { name, objects = 0 } = bucket;
  const drop = useAction({
    act: () => client.buckets.drop(name),
    done: () => say('dropped', { bucket: name }),
    renews: [['buckets']],
    failure: 'inline',
  });
  return (
    <Confirm
      title={say('dropTitle', { bucket: name })}
      act={say('drop')}
      typed={name}
      isOpen
      close={close}
      onConfirm={() => drop.attempt()}
    >
      <p>{say('dropWords')}</p>
      {objects > 0 && (
        <p className="note warn">{say('notEmpty', { count: objects, objects: number(objects) })}</p>
      )}
      <CommandTabs
        commands={{
          curl: curl({ role: 'uc', method: 'POST', target: `/drop/${name}` }),
          cli: `millpond bucket drop :${name}`,
          sdk: `await client.buckets.drop('${name}');`,
        }}
      />
    </Confirm>
  );
}
