/** What the command makes of the object, as soon as it can be read: the picture, or the facts. */
import { type Plan, parseUrlCommands, productOf } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import styles from './commands.module.css';

export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
}

export function Preview({ place, command }: { readonly place: ObjectRef; readonly command: string }) {
  const product = productBy(command);
  if (product === undefined) return null;
  return product === 'json' ? (
    <FactsOf place={place} command={command} />
  ) : (
    <PictureOf place={place} command={command} />
  );
}

function productBy(command: string) {
  try {
    const last: Plan | undefined = parseUrlCommands(command).stages.at(-1);
    return last === undefined ? undefined : productOf(last);
  } catch {
    return undefined;
  }
}

function PictureOf({ place, command }: { readonly place: ObjectRef; readonly command: string }) {
  const say = useTranslations('commands');
  const { client } = useSession();
  const url = client.objectUrl(place.bucket, place.key, queryOf(command));
  const [loaded, setLoaded] = useState<{ url: string; width: number; height: number }>();
  const [failed, setFailed] = useState<string>();
  const isShown = loaded?.url === url;
  return (
    <figure className={styles.picture}>
      <div className={styles.stageOf}>
        {failed === url ? (
          <Why place={place} command={command} />
        ) : (
          <img
            src={url}
            alt={say('preview.alt', { key: place.key })}
            aria-busy={!isShown}
            className={isShown ? '' : styles.waits}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setLoaded({ url, width, height })
            }
            onError={() => setFailed(url)}
          />
        )}
      </div>
      <figcaption className="quiet text-small tabular">
        {isShown && loaded !== undefined
          ? say('preview.size', { width: loaded.width, height: loaded.height })
          : ' '}
      </figcaption>
    </figure>
  );
}

/** An image says only that it failed: the answer itself says why. */
function Why({ place, command }: { readonly place: ObjectRef; readonly command: string }) {
  const say = useTranslations('commands');
  const found = useAnswer(place, command);
  if (found.isError)
    return <Failure error={found.error} what={say('preview.failed')} again={() => void found.refetch()} />;
  return <p className="quiet">{found.isSuccess ? say('preview.unshown') : ''}</p>;
}

function FactsOf({ place, command }: { readonly place: ObjectRef; readonly command: string }) {
  const say = useTranslations('commands');
  const found = useAnswer(place, command);
  if (found.isError)
    return <Failure error={found.error} what={say('preview.failed')} again={() => void found.refetch()} />;
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
      <pre className="wrap" tabIndex={0}>
        {indented(found.data ?? '')}
      </pre>
    </div>
  );
}

function useAnswer({ bucket, key }: ObjectRef, command: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['commands', account, bucket, key, command],
    queryFn: ({ signal }) => client.objectText(bucket, key, { query: queryOf(command), signal }),
    staleTime: 60_000,
  });
}

/** What a query can't hold as it is. */
export function queryOf(command: string): string {
  return command.replaceAll(/[%#"<>\s^`{}\\]|[^\x20-\x7e]/gu, encodeURIComponent);
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
