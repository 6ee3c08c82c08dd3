import { Link } from '@tanstack/react-router';
import { Ellipsis, Globe, Lock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { bytes, number, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Menu } from '../../ui/menu.tsx';
import styles from './buckets.module.css';
import { DropBucket } from './drop-bucket.tsx';
import type { BucketRow } from './use-buckets.ts';

export function BucketTable({ rows }: { readonly rows: readonly BucketRow[] }) {
  const say = useTranslations('buckets');
  const [dropped, setDropped] = useState<BucketRow>();
  return (
    <div className="inset">
      <table className="table">
        <thead>
          <tr>
            <th>{say('name')}</th>
            <th className={`numeric ${styles.sizeColumn}`}>{say('size')}</th>
            <th className={`numeric ${styles.objectsColumn}`}>{say('objects')}</th>
            <th className={styles.readColumn}>{say('read')}</th>
            <th className={`${styles.regionColumn} desktop-only`}>{say('region')}</th>
            <th className={`${styles.madeColumn} desktop-only`}>{say('made')}</th>
            <th className={styles.actsColumn}>
              <span className="visually-hidden">{say('acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} drop={() => setDropped(row)} />
          ))}
        </tbody>
      </table>
      {dropped !== undefined && <DropBucket bucket={dropped} close={() => setDropped(undefined)} />}
    </div>
  );
}

function Row({ row, drop }: { readonly row: BucketRow; readonly drop: () => void }) {
  const say = useTranslations('buckets');
  const Icon = row.isPrivate ? Lock : Globe;
  return (
    <tr>
      <td>
        <Link
          to="/buckets/$bucket/objects/$"
          params={{ bucket: row.name, _splat: '' }}
          search={({ account }) => ({ account })}
          className="weight-medium"
        >
          {row.name}
        </Link>
      </td>
      <td className="numeric" title={row.bytes === undefined ? undefined : `${number(row.bytes)} B`}>
        {row.bytes !== undefined && bytes(row.bytes)}
      </td>
      <td className="numeric">{row.objects !== undefined && number(row.objects)}</td>
      <td>
        <span className={styles.reads}>
          <Icon className="icon icon-small" aria-hidden />
          {say(row.isPrivate ? 'private' : 'public')}
        </span>
      </td>
      <td className="desktop-only soft">{row.region}</td>
      <td className="desktop-only soft tabular" title={time(row.created)}>
        {shortTime(row.created)}
      </td>
      <td className="actions">
        <Menu
          label={say('actsOf', { bucket: row.name })}
          icon={<Ellipsis className="icon" aria-hidden />}
          className="button icon-only ghost"
          items={[
            { words: say('drop'), icon: <Trash2 className="icon" aria-hidden />, danger: true, do: drop },
          ]}
        />
      </td>
    </tr>
  );
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
