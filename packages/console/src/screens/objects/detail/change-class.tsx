/** Another storage class, with what each costs in words: what is cheap to keep is slow, or dear, to read. */
import type { ObjectRecord } from '@millpond/client/session';
import { operations } from '@millpond/client/session';
import { storageClasses } from '@millpond/protocol';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { CLASSES, type StorageClass, StorageClassLabel } from '../../../ui/depth.tsx';
import { ActionDialog } from '../acts/act-dialog.tsx';
import objectsStyles from '../objects.module.css';

export function ChangeClass({
  bucket,
  objectKey,
  object,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly object: ObjectRecord;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const [type, setType] = useState<StorageClass>(object.type);
  const { word } = storageClasses[type];
  return (
    <ActionDialog
      title={say('class.title')}
      act={say('class.act')}
      bucket={bucket}
      close={close}
      isReady={type !== object.type}
      onAct={() => client.objects.changeType(bucket, objectKey, type)}
      done={say('class.done')}
    >
      <ClassChoice type={type} choose={setType} />
      <CommandTabs
        commands={{
          curl: curl({ role: 'rs', method: 'POST', target: operations.changeType(bucket, objectKey, type) }),
          cli: `millpond meta ${shellWord(`:${bucket}/${objectKey}`)} --class ${word}`,
          sdk: `await client.objects.changeType('${bucket}', ${JSON.stringify(objectKey)}, ${type});`,
        }}
      />
    </ActionDialog>
  );
}

export function ClassChoice({
  type,
  choose,
}: {
  readonly type: StorageClass;
  readonly choose: (type: StorageClass) => void;
}) {
  const say = useTranslations('objects');
  return (
    <fieldset className={objectsStyles.choice}>
      <legend className="visually-hidden">{say('class.title')}</legend>
      {CLASSES.map((each) => (
        <label key={each} className="radio">
          <input type="radio" name="class" checked={each === type} onChange={() => choose(each)} />
          <span>
            <b>
              <StorageClassLabel type={each} />
            </b>
            <span>{say(`class.words${each}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
