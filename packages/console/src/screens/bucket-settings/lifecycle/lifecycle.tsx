/** What happens to objects as they age. */
import type { LifecycleRule } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Rules } from '../rules.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { NEW, useEdited } from '../use-edited.ts';
import { LifecycleForm } from './lifecycle-form.tsx';
import { LifecycleSteps, sentRule } from './lifecycle-steps.tsx';

const EXAMPLE: LifecycleRule = {
  name: 'old_logs',
  prefix: 'logs/',
  to_line_after_days: 30,
  delete_after_days: 365,
};

function Lifecycle() {
  const { bucket } = LifecycleScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [edit, open] = useEdited();
  const queryKey = ['bucket-settings', account, bucket, 'lifecycle'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.buckets.lifecycle(bucket, { signal }),
  });
  const put = useChange({
    change: (rule: LifecycleRule) =>
      edit === NEW ? client.buckets.addLifecycle(bucket, rule) : client.buckets.updateLifecycle(bucket, rule),
    done: ({ name }) => say('lifecycle.saved', { name }),
    renews: [queryKey],
  });
  const remove = useChange({
    change: (name: string) => client.buckets.removeLifecycle(bucket, name),
    done: (name) => say('lifecycle.removed', { name }),
    renews: [queryKey],
  });
  const edited = data?.find(({ name }) => name === edit);
  const all = (data === undefined || data.length === 0 ? [EXAMPLE] : data).map(sentRule);
  const shown = all[0] ?? EXAMPLE;
  return (
    <Setting
      bucket={bucket}
      title={say('lifecycle.title')}
      words={[say('lifecycle.words'), say('lifecycle.words2'), say('lifecycle.words3')]}
      commands={{
        curl: curl({ role: 'uc', target: '/rules/add', form: { bucket, ...shown } }),
        cli: `millpond bucket lifecycle :${bucket} \\\n  --set - <<'JSON'\n${JSON.stringify(all, null, 2)}\nJSON`,
        sdk: `await client.buckets.addLifecycle('${bucket}', ${JSON.stringify(shown, null, 2)});`,
      }}
      acts={
        <Button icon={<Plus className="icon" aria-hidden />} onClick={() => open(NEW)}>
          {say('add')}
        </Button>
      }
    >
      <Rules
        label={say('lifecycle.title')}
        items={data?.map((rule) => ({
          name: rule.name,
          head: (
            <>
              <b className="weight-medium">{rule.name}</b>
              <span className="quiet">
                {rule.prefix === '' ? say('allKeys') : <code>{rule.prefix}</code>}
              </span>
            </>
          ),
          words: <LifecycleSteps rule={rule} />,
        }))}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('lifecycle.none')} words={say('lifecycle.noneWords')} />}
        open={open}
        remove={({ name }) => remove.attempt(name)}
        removes={say('lifecycle.removes')}
      />
      {(edit === NEW || edited !== undefined) && (
        <LifecycleForm
          key={edit}
          bucket={bucket}
          rule={edited}
          close={() => open()}
          save={(rule) => put.attempt(rule)}
        />
      )}
    </Setting>
  );
}

export const LifecycleScreen = createLazyRoute('/shell/buckets/$bucket/lifecycle')({ component: Lifecycle });
