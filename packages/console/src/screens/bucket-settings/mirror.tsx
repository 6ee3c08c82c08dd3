/** Where objects come from that the bucket doesn't have. */
import { encodeBase64Text } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { entriesOf, LinesField } from '../../ui/lines-field.tsx';
import { useBucketInfo } from '../bucket-frame/use-bucket-info.ts';
import styles from './bucket-settings.module.css';
import { Setting } from './setting.tsx';
import { useChange } from './use-change.ts';

interface Sources {
  readonly urls: readonly string[];
  readonly host: string;
}

function Mirror() {
  const { bucket } = MirrorScreen.useParams();
  const say = useTranslations('bucket-settings');
  const client = useClient();
  const curl = useCurl();
  const info = useBucketInfo(bucket);
  const { data } = useQuery(info);
  const [draft, setDraft] = useState<{ text: string; host: string }>();
  const now = { text: (data?.source ?? '').replaceAll(';', '\n'), host: data?.host ?? '' };
  const { text, host } = draft ?? now;
  const wanted: Sources = { urls: entriesOf(text.replaceAll(';', '\n')), host: host.trim() };
  const change = useChange({
    change: async ({ urls, host: name }: Sources) => {
      if (urls.length === 0) await client.buckets.removeMirror(bucket);
      else await client.buckets.setMirror(bucket, urls, name === '' ? {} : { host: name });
      setDraft(undefined);
    },
    done: ({ urls }) => say(urls.length === 0 ? 'mirror.removed' : 'mirror.saved'),
    renews: [info.queryKey],
  });
  const shown: Sources = wanted.urls.length > 0 ? wanted : { urls: ['https://old.example.com'], host: '' };
  const named = shown.host === '' ? '' : `/host/${encodeBase64Text(shown.host)}`;
  return (
    <Setting
      bucket={bucket}
      title={say('mirror.title')}
      words={[say('mirror.words'), say('mirror.words2'), say('mirror.words3')]}
      commands={{
        curl: curl({
          role: 'uc',
          method: 'POST',
          target: `/image/${bucket}/from/${encodeBase64Text(shown.urls.join(';'))}${named}`,
        }),
        cli: `millpond bucket mirror :${bucket} \\\n  --from ${shown.urls.map(shellWord).join(' ')}${shown.host === '' ? '' : ` --host ${shellWord(shown.host)}`}`,
        sdk: `await client.buckets.setMirror('${bucket}', ${JSON.stringify(shown.urls)}${shown.host === '' ? '' : `, { host: ${JSON.stringify(shown.host)} }`});`,
      }}
    >
      {data !== undefined && (
        <form
          className={`${styles.ruleForm} ${styles.narrow}`}
          onSubmit={(event) => {
            event.preventDefault();
            void change.run(wanted);
          }}
        >
          <LinesField
            label={say('mirror.sources')}
            hint={say('mirror.sourcesHint')}
            rows={3}
            value={text}
            onChange={(event) => setDraft({ text: event.target.value, host })}
            placeholder="https://old.example.com"
          />
          <TextField
            label={say('mirror.host')}
            optional={say('optional')}
            hint={say('mirror.hostHint')}
            value={host}
            onChange={(event) => setDraft({ text, host: event.target.value })}
          />
          <div className="row">
            <Button
              kind="primary"
              type="submit"
              waits={change.isPending}
              disabled={draft === undefined || wanted.urls.length === 0}
            >
              {say('save')}
            </Button>
            {now.text !== '' && (
              <Button
                kind="danger"
                disabled={change.isPending}
                onClick={() => void change.run({ urls: [], host: '' })}
              >
                {say('mirror.remove')}
              </Button>
            )}
          </div>
        </form>
      )}
      {change.error !== null && <Failure error={change.error} what={say('notSaved')} />}
    </Setting>
  );
}

export const MirrorScreen = createLazyRoute('/shell/buckets/$bucket/mirror')({ component: Mirror });
