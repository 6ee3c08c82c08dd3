/** Workflows that start by themselves when an object arrives in the bucket. */
import type { Trigger } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { triggerCommand } from '../../../lib/trigger-command.ts';
import { type Say, useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Rules } from '../rules.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { NEW, useEdited } from '../use-edited.ts';
import { TriggerForm } from './trigger-form.tsx';

function Triggers() {
  const { bucket } = TriggersScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [edit, open] = useEdited();
  const queryKey = ['bucket-settings', account, 'triggers'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.processing.triggers({ signal }),
  });
  const add = useChange({
    change: (trigger: Omit<Trigger, 'id'>) => client.processing.addTrigger(trigger),
    done: ({ workflow }) => say('triggers.added', { workflow }),
    renews: [queryKey],
  });
  const remove = useChange({
    change: (id: string) => client.processing.removeTrigger(id),
    done: () => say('triggers.removed'),
    renews: [queryKey],
  });
  const own = data?.filter((trigger) => trigger.bucket === bucket);
  const shown = {
    bucket,
    prefix: 'uploads/',
    suffix: '.mp4',
    workflow: own?.[0]?.workflow ?? 'daily_review',
  };
  return (
    <Setting
      bucket={bucket}
      title={say('triggers.title')}
      words={[say('triggers.words'), say('triggers.words2')]}
      commands={{
        curl: curl({ role: 'api', method: 'POST', target: '/v1/triggers', json: shown }),
        cli: triggerCommand(shown),
        sdk: `await client.processing.addTrigger(${JSON.stringify(shown, null, 2)});`,
      }}
      acts={
        <Button icon={<Plus className="icon" aria-hidden />} onClick={() => open(NEW)}>
          {say('add')}
        </Button>
      }
    >
      <Rules
        label={say('triggers.title')}
        items={own?.map((trigger) => ({
          name: trigger.workflow,
          id: trigger.id,
          head: <b className="weight-medium">{trigger.workflow}</b>,
          words: triggerWords(trigger, say),
        }))}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('triggers.none')} words={say('triggers.noneWords')} />}
        remove={({ id }) => remove.attempt(id)}
        removes={say('triggers.removes')}
      />
      {edit === NEW && (
        <TriggerForm bucket={bucket} close={() => open()} save={(trigger) => add.attempt(trigger)} />
      )}
    </Setting>
  );
}

function triggerWords({ prefix, suffix, force, notifyURL }: Trigger, say: Say<'bucket-settings'>): string {
  const which = [
    ...(prefix === '' ? [] : [say('beginsWith', { prefix })]),
    ...(suffix === '' ? [] : [say('endsIn', { suffix })]),
  ];
  return [
    which.length === 0 ? say('allKeys') : which.join(' · '),
    ...(force ? [say('triggers.forces')] : []),
    ...(notifyURL ? [say('triggers.notifies', { url: notifyURL })] : []),
  ].join(' · ');
}

export const TriggersScreen = createLazyRoute('/shell/buckets/$bucket/triggers')({ component: Triggers });
