/** Deletes one object, which the trash keeps for a while: so a plain question, and a way back in the message. */
import { operations } from '@millpond/client/session';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { ActionDialog } from '../acts/act-dialog.tsx';
import { notifyBucketChanged } from '../changes.ts';

export function DeleteObject({
  bucket,
  objectKey,
  deleted,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly deleted: () => void;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const tell = useMessages();
  const undo = async () => {
    for await (const { id, key } of client.trash.list(bucket, { prefix: objectKey })) {
      if (key !== objectKey) continue;
      const [{ error } = {}] = await client.trash.undelete(bucket, [id]);
      if (error !== undefined) throw new Error(error);
      return notifyBucketChanged(bucket);
    }
    throw new Error(say('delete.gone'));
  };
  const act = async () => {
    await client.objects.delete(bucket, objectKey);
    deleted();
    tell({
      words: say('delete.done', { key: objectKey }),
      act: {
        words: say('delete.undo'),
        do: () => void undo().catch((error: unknown) => tell({ words: String(error), state: 'bad' })),
      },
    });
  };
  return (
    <ActionDialog
      title={say('delete.title')}
      act={say('act.delete')}
      kind="solid"
      bucket={bucket}
      close={close}
      onAct={act}
    >
      <p>
        <code>{objectKey}</code>
      </p>
      <p className="soft">{say('delete.words')}</p>
      <CommandTabs
        commands={{
          curl: curl({ role: 'rs', method: 'POST', target: operations.delete(bucket, objectKey) }),
          cli: `millpond rm ${shellWord(`:${bucket}/${objectKey}`)}`,
          sdk: `await client.objects.delete('${bucket}', ${JSON.stringify(objectKey)});`,
        }}
      />
    </ActionDialog>
  );
}
