/** The buckets, sorted as one likes, each with what can be done to it. */
import { Link } from '@tanstack/react-router';
import { Ellipsis, Globe, Lock, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { bytes, number, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Menu } from '../../ui/menu.tsx';
import type { RecordColumn } from '../../ui/records/record-column.ts';
import { type RecordQuery, RecordTable } from '../../ui/records/record-table.tsx';
import styles from './buckets.module.css';
import { DropBucket } from './drop-bucket.tsx';
import type { BucketRow } from './use-buckets.ts';

export function BucketTable({
  rows,
  query,
  empty,
}: {
  readonly rows: readonly BucketRow[] | undefined;
  readonly query: RecordQuery;
  readonly empty: ReactNode;
}) {
  const say = useTranslations('buckets');
  const [dropped, setDropped] = useState<BucketRow>();
  const columns = useColumns(setDropped);
  return (
    <>
      <RecordTable
        label={say('title')}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        query={query}
        failure={say('failed')}
        empty={empty}
        sorting="client"
        frame="inset"
      />
      {dropped !== undefined && <DropBucket bucket={dropped} close={() => setDropped(undefined)} />}
    </>
  );
}

function useColumns(drop: (bucket: BucketRow) => void): readonly RecordColumn<BucketRow>[] {
  const say = useTranslations('buckets');
  return [
    {
      id: 'name',
      header: say('name'),
      value: ({ name }) => name,
      cell: ({ name }) => (
        <Link
          to="/buckets/$bucket/objects/$"
          params={{ bucket: name, _splat: '' }}
          search={({ account }) => ({ account })}
          className="weight-medium"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'bytes',
      header: say('size'),
      kind: 'number',
      className: styles.sizeColumn,
      format: bytes,
      tooltip: (row) => (row.bytes === undefined ? undefined : `${number(row.bytes)} B`),
    },
    { id: 'objects', header: say('objects'), kind: 'number', className: styles.objectsColumn },
    {
      id: 'read',
      header: say('read'),
      className: styles.readColumn,
      cell: ({ isPrivate }) => {
        const Icon = isPrivate ? Lock : Globe;
        return (
          <span className={styles.reads}>
            <Icon className="icon icon-small" aria-hidden />
            {say(isPrivate ? 'private' : 'public')}
          </span>
        );
      },
    },
    { id: 'region', header: say('region'), tone: 'soft', onPhone: 'hidden', className: styles.regionColumn },
    {
      id: 'created',
      header: say('made'),
      kind: 'time',
      tone: 'soft',
      onPhone: 'hidden',
      className: styles.madeColumn,
      format: shortTime,
    },
    {
      id: 'actions',
      header: say('acts'),
      kind: 'actions',
      className: styles.actsColumn,
      cell: (row) => (
        <Menu
          label={say('actsOf', { bucket: row.name })}
          icon={<Ellipsis className="icon" aria-hidden />}
          className="button icon-only ghost"
          items={[
            {
              words: say('drop'),
              icon: <Trash2 className="icon" aria-hidden />,
              danger: true,
              do: () => drop(row),
            },
          ]}
        />
      ),
    },
  ];
}
