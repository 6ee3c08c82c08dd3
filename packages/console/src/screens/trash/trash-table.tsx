import type { TrashedObject } from '@millpond/client/session';
import { useSession } from '../../app/session-context.tsx';
import { bytes, durationText, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { StorageClassLabel } from '../../ui/depth.tsx';
import { type RecordColumn, RecordTable } from '../../ui/records/record-table.tsx';
import { kindPicture } from '../objects/kinds.tsx';
import styles from './trash.module.css';

/** As many as one request takes. */
const MAX_AT_ONCE = 1000;

export function TrashTable({
  items,
  chosen,
  choose,
  undelete,
}: {
  readonly items: readonly TrashedObject[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
  readonly undelete: (id: string) => void;
}) {
  const say = useTranslations('trash');
  const { serverNow } = useSession();
  const now = serverNow();
  const columns: readonly RecordColumn<TrashedObject>[] = [
    {
      id: 'key',
      title: say('key'),
      hover: ({ key }) => key,
      cell: ({ key, mimeType }) => (
        <span className={styles.nameCell}>
          {kindPicture(key, mimeType)}
          <span className="truncate">{key}</span>
        </span>
      ),
    },
    {
      id: 'size',
      title: say('size'),
      kind: 'number',
      className: styles.sizeColumn,
      cell: ({ fsize }) => bytes(fsize),
    },
    {
      id: 'class',
      title: say('class'),
      isWideOnly: true,
      className: styles.classColumn,
      cellClassName: 'soft',
      cell: ({ type }) => <StorageClassLabel type={type} />,
    },
    {
      id: 'reason',
      title: say('why'),
      isWideOnly: true,
      width: 90,
      cellClassName: 'soft',
      cell: ({ reason }) => say(`reason.${reason}`),
    },
    {
      id: 'deleted',
      title: say('deleted'),
      isWideOnly: true,
      width: 110,
      cellClassName: 'soft tabular',
      hover: ({ deleted }) => time(deleted),
      cell: ({ deleted }) => shortTime(deleted),
    },
    {
      id: 'until',
      title: say('until'),
      className: styles.untilColumn,
      cellClassName: 'soft tabular',
      hover: ({ until }) => time(until),
      cell: ({ until }) => durationText(Date.parse(until) - now),
    },
    {
      id: 'actions',
      title: say('undelete'),
      kind: 'actions',
      isWideOnly: true,
      width: 100,
      cell: ({ id }) => (
        <Button kind="link" onClick={() => undelete(id)}>
          {say('undelete')}
        </Button>
      ),
    },
  ];
  return (
    <div className="inset">
      <RecordTable
        label={say('title')}
        columns={columns}
        rows={items}
        keyOf={({ id }) => id}
        selection={{
          chosen,
          choose,
          label: ({ key }) => say('choose', { key }),
          allLabel: say('chooseAll'),
          max: MAX_AT_ONCE,
        }}
      />
    </div>
  );
}
