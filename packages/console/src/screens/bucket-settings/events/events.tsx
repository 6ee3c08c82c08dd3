/** Which changes of objects are sent to which URLs. */
import type { EventRule } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { bytes } from '../../../lib/format.ts';
import { type Say, useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { listCommands } from '../commands.ts';
import { Rules } from '../rules.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { NEW, useEdited } from '../use-edited.ts';
import { EventForm } from './event-form.tsx';

const EXAMPLE: EventRule = {
  name: 'photos',
  url: 'https://app.example.com/millpond',
  events: ['created', 'deleted'],
  prefix: 'photos/',
};

function Events() {
  const { bucket } = EventsScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [edit, open] = useEdited();
  const queryKey = ['bucket-settings', account, bucket, 'events'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.buckets.eventRules(bucket, { signal }),
  });
  const change = useChange({
    change: (rules: readonly EventRule[]) => client.buckets.setEventRules(bucket, rules),
    done: () => say('events.saved'),
    renews: [queryKey],
  });
  const edited = data?.find(({ name }) => name === edit);
  const others = (data ?? []).filter(({ name }) => name !== edit);
  return (
    <Setting
      bucket={bucket}
      title={say('events.title')}
      words={[say('events.words'), say('events.words2'), say('events.words3')]}
      commands={listCommands(curl, {
        bucket,
        rules: data === undefined || data.length === 0 ? [EXAMPLE] : data,
        target: `/eventRules/set/${bucket}`,
        cli: 'events',
        sdk: 'setEventRules',
      })}
      acts={
        <Button
          icon={<Plus className="icon" aria-hidden />}
          disabled={data === undefined}
          onClick={() => open(NEW)}
        >
          {say('add')}
        </Button>
      }
    >
      <Rules
        label={say('events.title')}
        items={data?.map((rule) => ({
          name: rule.name,
          head: (
            <>
              <b className="weight-medium">{rule.name}</b>
              <code className="truncate quiet">{rule.url}</code>
            </>
          ),
          words: eventWords(rule, say),
        }))}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('events.none')} words={say('events.noneWords')} />}
        open={open}
        remove={({ name }) => change.attempt((data ?? []).filter((rule) => rule.name !== name))}
        removes={say('events.removes')}
      />
      {data !== undefined && (edit === NEW || edited !== undefined) && (
        <EventForm
          key={edit}
          rule={edited}
          close={() => open()}
          save={(rule) => change.attempt([...others, rule])}
        />
      )}
    </Setting>
  );
}

function eventWords(rule: EventRule, say: Say<'bucket-settings'>): string {
  return [
    rule.events.join(', '),
    ...(rule.prefix ? [say('beginsWith', { prefix: rule.prefix })] : []),
    ...(rule.suffix ? [say('endsIn', { suffix: rule.suffix })] : []),
    ...(rule.minSize ? [say('events.atLeast', { size: bytes(rule.minSize) })] : []),
    ...(rule.maxSize === undefined ? [] : [say('events.atMost', { size: bytes(rule.maxSize) })]),
  ].join(' · ');
}

export const EventsScreen = createLazyRoute('/shell/buckets/$bucket/events')({ component: Events });
