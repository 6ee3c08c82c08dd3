/** A folder without anything in it. */
import { FolderOpen } from 'lucide-react';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Empty } from '../../ui/empty.tsx';
import styles from './objects.module.css';

export function NothingHere({
  bucket,
  prefix,
  begins,
  isPart,
}: {
  readonly bucket: string;
  readonly prefix: string;
  readonly begins: string;
  /** There may be something before where the list begins, or of other classes. */
  readonly isPart: boolean;
}) {
  const say = useTranslations('objects');
  if (isPart)
    return (
      <div className="scroll">
        <Empty title={say('none.part')} words={say('none.partWords')} />
      </div>
    );
  if (begins !== '')
    return (
      <div className="scroll">
        <Empty title={say('none.begins', { begins })} words={say('none.beginsWords')} />
      </div>
    );
  return (
    <div className="scroll">
      <Empty
        icon={<FolderOpen className="icon quiet" aria-hidden />}
        title={say(prefix === '' ? 'none.bucket' : 'none.folder')}
        words={say('none.words')}
      />
      <div className={styles.emptyCommand}>
        <CommandTabs
          commands={{
            cli: `millpond cp -r ./folder ${shellWord(`:${bucket}/${prefix}`)}`,
            curl: `curl "$UP" -F token="$UPLOAD_TOKEN" -F key=${shellWord(`${prefix}photo.jpg`)} -F file=@photo.jpg`,
            sdk: `await client.uploadFile('${bucket}', ${JSON.stringify(`${prefix}photo.jpg`)}, 'photo.jpg');`,
          }}
        />
      </div>
    </div>
  );
}
