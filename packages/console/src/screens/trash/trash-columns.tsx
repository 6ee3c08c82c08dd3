/** What is shown of an object in the trash. */
import type { TrashedObject } from '@millpond/client/session';
import { useSession } from '../../app/session-context.tsx';
import { bytes, durationText, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { StorageClassLabel } from '../../ui/depth.tsx';
import type { RecordColumn } from '../../ui/records/record-column.ts';
import { kindPicture } from '../objects/kinds.tsx';
import styles from './trash.module.css';

export function useTrashColumns(undelete: (id: string) => void): readonly RecordColumn<TrashedObject>[] {
  const say = useTranslations('trash');
  const { serverNow } = useSession();
  return [
    {
      id: 'key',
      header: say('key'),
      value: ({ key }) => key,
      cell: ({ key, mimeType }) => (
        <span className={styles.nameCell}>
          {kindPicture(key, mimeType)}
          <span className="truncate">{key}</span>
        </span>
      ),
    },
    { id: 'fsize', header: say('size'), kind: 'number', className: styles.sizeColumn, format: bytes },
    {
      id: 'class',
      header: say('class'),
      onPhone: 'hidden',
      className: styles.classColumn,
      tone: 'soft',
      cell: ({ type }) => <StorageClassLabel type={type} />,
    },
    {
      id: 'reason',
      header: say('why'),
      tone: 'soft',
      width: 90,
      onPhone: 'hidden',
      value: ({ reason }) => say(`reason.${reason}`),
    },
    {
      id: 'deleted',
      header: say('deleted'),
      kind: 'time',
      tone: 'soft',
      width: 110,
      onPhone: 'hidden',
      format: shortTime,
    },
    {
      id: 'until',
      header: say('until'),
      kind: 'time',
      tone: 'soft',
      className: styles.untilColumn,
      value: ({ until }) => until,
      cell: ({ until }) => durationText(Date.parse(until) - serverNow()),
    },
    {
      id: 'actions',
      header: say('undelete'),
      kind: 'actions',
      onPhone: 'hidden',
      width: 100,
      cell: ({ id }) => (
        <Button kind="link" onClick={() => undelete(id)}>
          {say('undelete')}
        </Button>
      ),
    },
  ];
}
