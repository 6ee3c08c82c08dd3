/** What is in the trash, with a selection of what comes back. */
import type { TrashedObject } from '@millpond/client/session';
import type { ReactNode } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { bytes, durationText, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { StorageClassLabel } from '../../ui/depth.tsx';
import { type RecordColumn, type RecordQuery, RecordTable } from '../../ui/records/record-table.tsx';
import { kindPicture } from '../objects/kinds.tsx';
import styles from './trash.module.css';

/** As many as one request takes. */
const MAX_AT_ONCE = 1000;

export function TrashTable({
  items,
  query,
  empty,
  selected,
  onSelect,
  undelete,
}: {
  readonly items: readonly TrashedObject[] | undefined;
  readonly query: RecordQuery;
  readonly empty: ReactNode;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly undelete: (id: string) => void;
}) {
  const say = useTranslations('trash');
  const { serverNow } = useSession();
  const now = serverNow();
  const columns: readonly RecordColumn<TrashedObject>[] = [
    {
      id: 'key',
      header: say('key'),
      tooltip: ({ key }) => key,
      cell: ({ key, mimeType }) => (
        <span className={styles.nameCell}>
          {kindPicture(key, mimeType)}
          <span className="truncate">{key}</span>
        </span>
      ),
    },
    {
      id: 'size',
      header: say('size'),
      kind: 'number',
      className: styles.sizeColumn,
      cell: ({ fsize }) => bytes(fsize),
    },
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
      onPhone: 'hidden',
      width: 90,
      tone: 'soft',
      cell: ({ reason }) => say(`reason.${reason}`),
    },
    {
      id: 'deleted',
      header: say('deleted'),
      onPhone: 'hidden',
      width: 110,
      kind: 'time',
      tone: 'soft',
      tooltip: ({ deleted }) => time(deleted),
      cell: ({ deleted }) => shortTime(deleted),
    },
    {
      id: 'until',
      header: say('until'),
      className: styles.untilColumn,
      kind: 'time',
      tone: 'soft',
      tooltip: ({ until }) => time(until),
      cell: ({ until }) => durationText(Date.parse(until) - now),
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
  return (
    <RecordTable
      label={say('title')}
      columns={columns}
      rows={items}
      rowKey={({ id }) => id}
      query={query}
      failure={say('failed')}
      empty={empty}
      frame="inset"
      selection={{
        selected,
        onChange: onSelect,
        label: ({ key }) => say('choose', { key }),
        allLabel: say('chooseAll'),
        max: MAX_AT_ONCE,
      }}
    />
  );
}
