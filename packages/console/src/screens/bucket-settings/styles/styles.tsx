/** Names for commands on images, each shown on a picture of the bucket. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { shellWord } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Rules } from '../rules.tsx';
import { Setting } from '../setting.tsx';
import { useChange } from '../use-change.ts';
import { NEW, useEdited } from '../use-edited.ts';
import { StyleForm } from './style-form.tsx';
import { StyleRules } from './style-rules.tsx';
import { StyledPicture } from './styled-picture.tsx';

/** Of the bucket's first objects, for a picture. */
const MOST_LOOKED_AT = 200;

function Styles() {
  const { bucket } = StylesScreen.useParams();
  const say = useTranslations('bucket-settings');
  const curl = useCurl();
  const { client, account } = useSession();
  const [edit, open] = useEdited();
  const queryKey = ['bucket-settings', account, bucket, 'styles'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.processing.styles(bucket, { signal }),
  });
  const first = usePicture(bucket);
  const [chosen, setChosen] = useState<string>();
  const picture = chosen ?? first;
  const put = useChange({
    change: ({ name, command }: { name: string; command: string }) =>
      client.processing.putStyle(bucket, name, command),
    done: ({ name }) => say('styles.saved', { name }),
    renews: [queryKey],
  });
  const remove = useChange({
    change: (name: string) => client.processing.removeStyle(bucket, name),
    done: (name) => say('styles.removed', { name }),
    renews: [queryKey],
  });
  const shown = data?.items[0] ?? { name: 'small', command: 'imageView2/2/w/200' };
  const edited = data?.items.find(({ name }) => name === edit);
  return (
    <Setting
      bucket={bucket}
      title={say('styles.title')}
      words={[
        say('styles.words', { example: `cat.jpg${data?.separator ?? '-'}${shown.name}` }),
        say('styles.words2'),
      ]}
      commands={{
        curl: curl({
          role: 'api',
          method: 'PUT',
          target: `/v1/buckets/${bucket}/styles/${shown.name}`,
          json: { command: shown.command },
        }),
        cli: `millpond bucket style :${bucket} \\\n  --set ${shellWord(`${shown.name}=${shown.command}`)}`,
        sdk: `await client.processing.putStyle('${bucket}', '${shown.name}', ${JSON.stringify(shown.command)});`,
      }}
      acts={
        <Button icon={<Plus className="icon" aria-hidden />} onClick={() => open(NEW)}>
          {say('styles.add')}
        </Button>
      }
    >
      {data !== undefined && (
        <StyleRules
          bucket={bucket}
          styles={data}
          renews={queryKey}
          picture={picture}
          setPicture={setChosen}
        />
      )}
      <Rules
        label={say('styles.title')}
        items={data?.items.map(({ name, command }) => ({
          name,
          mark: <StyledPicture bucket={bucket} picture={picture} command={command} name={name} />,
          head: (
            <>
              <b className="weight-medium">{name}</b>
              {picture !== undefined && <Copy text={`${picture}${data.separator}${name}`} />}
            </>
          ),
          words: <code>{command}</code>,
        }))}
        error={error}
        again={() => void refetch()}
        empty={<Empty title={say('styles.none')} words={say('styles.noneWords')} />}
        open={open}
        remove={({ name }) => remove.attempt(name)}
        removes={say('styles.removes')}
      />
      {(edit === NEW || edited !== undefined) && (
        <StyleForm
          key={edit}
          bucket={bucket}
          style={edited}
          picture={picture}
          close={() => open()}
          save={(style) => put.attempt(style)}
        />
      )}
    </Setting>
  );
}

/** A picture of the bucket to show styles on: the first among its first objects. */
function usePicture(bucket: string): string | undefined {
  const { client, account } = useSession();
  const { data } = useQuery({
    queryKey: ['bucket-settings', account, bucket, 'picture'],
    staleTime: 60_000,
    async queryFn({ signal }) {
      const page = await client.objects.page(bucket, { limit: MOST_LOOKED_AT, signal });
      return page.items.find(({ mimeType }) => mimeType.startsWith('image/'))?.key ?? null;
    },
  });
  return data ?? undefined;
}

export const StylesScreen = createLazyRoute('/shell/buckets/$bucket/styles')({ component: Styles });
