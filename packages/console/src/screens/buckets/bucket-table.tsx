import { Link } from '@tanstack/react-router';
import { Ellipsis, Globe, Lock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { bytes, number, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Menu } from '../../ui/menu.tsx';
import { type RecordSort, sortRecords } from '../../ui/records/record-order.ts';
import { type RecordColumn, RecordTable } from '../../ui/records/record-table.tsx';
import styles from './buckets.module.css';
import { DropBucket } from './drop-bucket.tsx';
import type { BucketRow } from './use-buckets.ts';

export function BucketTable({ rows }: { readonly rows: readonly BucketRow[] }) {
  const say = useTranslations('buckets');
  const [dropped, setDropped] = useState<BucketRow>();
  const [sort, setSort] = useState<RecordSort>();
  const columns = useColumns(setDropped);
  return (
    <div className="inset">
      <RecordTable
        label={say('title')}
        columns={columns}
        rows={sortRecords(rows, sort, columns)}
        keyOf={({ name }) => name}
        sort={sort}
        onSort={setSort}
      />
      {dropped !== undefined && <DropBucket bucket={dropped} close={() => setDropped(undefined)} />}
    </div>
  );
}

function useColumns(drop: (bucket: BucketRow) => void): readonly RecordColumn<BucketRow>[] {
  const say = useTranslations('buckets');
  return [
    {
      id: 'name',
      title: say('name'),
      sortBy: ({ name }) => name,
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
      id: 'size',
      title: say('size'),
      kind: 'number',
      className: styles.sizeColumn,
      sortBy: (row) => row.bytes,
      hover: (row) => (row.bytes === undefined ? undefined : `${number(row.bytes)} B`),
      cell: (row) => row.bytes !== undefined && bytes(row.bytes),
    },
    {
      id: 'objects',
      title: say('objects'),
      kind: 'number',
      className: styles.objectsColumn,
      sortBy: ({ objects }) => objects,
      cell: ({ objects }) => objects !== undefined && number(objects),
    },
    {
      id: 'read',
      title: say('read'),
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
    {
      id: 'region',
      title: say('region'),
      isWideOnly: true,
      className: styles.regionColumn,
      cellClassName: 'soft',
      cell: ({ region }) => region,
    },
    {
      id: 'made',
      title: say('made'),
      isWideOnly: true,
      className: styles.madeColumn,
      cellClassName: 'soft tabular',
      sortBy: ({ created }) => created,
      hover: ({ created }) => time(created),
      cell: ({ created }) => shortTime(created),
    },
    {
      id: 'actions',
      title: say('acts'),
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

export function WaitingTable() {
  const say = useTranslations('buckets');
  return (
    <div className={styles.waiting} role="status" aria-label={say('waiting')}>
      {[42, 30, 55, 36].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
