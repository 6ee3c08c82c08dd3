/** Pages of which origins may read the bucket from a browser. */
import type { CorsRule } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { number } from '../../../lib/format.ts';
import { type Say, useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { listCommands } from '../commands.ts';
import { Rules } from '../rules.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { NEW, useEdited } from '../use-edited.ts';
import { CorsForm } from './cors-form.tsx';

function Cors() {
  const { bucket } = CorsScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [edit, open] = useEdited();
  const queryKey = ['bucket-settings', account, bucket, 'cors'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.buckets.cors(bucket, { signal }),
  });
  const change = useChange({
    change: (rules: readonly CorsRule[]) => client.buckets.setCors(bucket, rules),
    done: () => say('cors.saved'),
    renews: [queryKey],
  });
  const at = edit === NEW ? data?.length : Number(edit) - 1;
  const items = data?.map((rule, index) => ({
    name: String(index + 1),
    index,
    head: <code className="weight-medium">{rule.allowed_origin.join(', ')}</code>,
    words: corsWords(rule, say),
  }));
  return (
    <Setting
      bucket={bucket}
      title={say('cors.title')}
      words={[say('cors.words'), say('cors.words2')]}
      commands={listCommands(curl, {
        bucket,
        rules: data ?? [],
        target: `/corsRules/set/${bucket}`,
        cli: 'cors',
        sdk: 'setCors',
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
        label={say('cors.title')}
        items={items}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('cors.none')} words={say('cors.noneWords')} />}
        open={open}
        remove={({ index }) => change.attempt((data ?? []).filter((_rule, other) => other !== index))}
        removes={say('cors.removes')}
      />
      {edit !== undefined && data !== undefined && at !== undefined && (
        <CorsForm
          key={edit}
          rule={data[at]}
          close={() => open()}
          save={(rule) => change.attempt(data.toSpliced(at, 1, rule))}
        />
      )}
    </Setting>
  );
}

function corsWords(rule: CorsRule, say: Say<'bucket-settings'>): string {
  const list = (names: readonly string[] | undefined) => (names ?? []).join(', ');
  return [
    say('cors.may', { methods: list(rule.allowed_method) }),
    ...(rule.allowed_header?.length ? [say('cors.send', { headers: list(rule.allowed_header) })] : []),
    ...(rule.exposed_header?.length ? [say('cors.see', { headers: list(rule.exposed_header) })] : []),
    ...(rule.max_age ? [say('cors.keeps', { seconds: number(rule.max_age) })] : []),
  ].join(' ');
}

export const CorsScreen = createLazyRoute('/shell/buckets/$bucket/cors')({ component: Cors });
