/** What is in the trash, with a selection of what comes back. */
import type { TrashedObject } from '@millpond/client/session';
import type { ReactNode } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { bytes, durationText, shortTime } from '../../lib/format.ts';
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
      value: ({ key }) => key,
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
      value: ({ fsize }) => fsize,
      format: bytes,
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
      value: ({ deleted }) => deleted,
      format: shortTime,
    },
    {
      id: 'until',
      header: say('until'),
      kind: 'time',
      tone: 'soft',
      className: styles.untilColumn,
      value: ({ until }) => until,
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
