/** The command to be taken along: in a URL, or as a task by curl, command line and SDK. */
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Copy } from '../../ui/copy.tsx';
import styles from './commands.module.css';
import { type ObjectRef, queryOf } from './preview.tsx';

export function CommandWays({
  place,
  command,
  isByUrl,
}: {
  readonly place: ObjectRef | undefined;
  readonly command: string;
  readonly isByUrl: boolean;
}) {
  const say = useTranslations('commands');
  const { client } = useSession();
  const curl = useCurl();
  const { bucket, key } = place ?? { bucket: 'BUCKET', key: 'KEY' };
  const own = client.objectUrl(bucket, key, queryOf(command));
  const object = shellWord(`:${bucket}/${key}`);
  return (
    <section>
      <h2>{say('ways')}</h2>
      {isByUrl && (
        <p className={`${styles.query} row`}>
          <code className="truncate">?{queryOf(command)}</code>
          <Copy text={`?${queryOf(command)}`} label={say('line.copyQuery')} />
          {place !== undefined && (
            <a className="link end" href={own} target="_blank" rel="noreferrer noopener">
              {say('preview.open')}
            </a>
          )}
        </p>
      )}
      <CommandTabs
        commands={{
          curl: curl({ role: 'api', target: '/pfop/', method: 'POST', form: { bucket, key, fops: command } }),
          cli: `millpond pfop ${object} \\\n  --fops ${shellWord(command)} --wait`,
          sdk: `const id = await client.processing.submit(${JSON.stringify({ bucket, key, fops: command }, undefined, 2)});\nconst task = await client.processing.wait(id);`,
        }}
      />
    </section>
  );
}
