import { Link } from '@tanstack/react-router';
import { Ellipsis, Globe, Lock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { bytes, number, shortTime, time } from '../../lib/format.ts';
import { useWords } from '../../lib/words.ts';
import { Menu } from '../../ui/menu.tsx';
import { DropBucket } from './drop-bucket.tsx';
import type { BucketRow } from './use-buckets.ts';

export function BucketTable({ rows }: { readonly rows: readonly BucketRow[] }) {
  const say = useWords('buckets');
  const [dropped, setDropped] = useState<BucketRow>();
  return (
    <div className="inset">
      <table className="table">
        <thead>
          <tr>
            <th>{say('name')}</th>
            <th className="n w-size">{say('size')}</th>
            <th className="n w-objects">{say('objects')}</th>
            <th className="w-read">{say('read')}</th>
            <th className="w-region desk-only">{say('region')}</th>
            <th className="w-made desk-only">{say('made')}</th>
            <th className="w-acts">
              <span className="vh">{say('acts')}</span>
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
  const say = useWords('buckets');
  const Icon = row.isPrivate ? Lock : Globe;
  return (
    <tr>
      <td>
        <Link
          to="/buckets/$bucket/objects/$"
          params={{ bucket: row.name, _splat: '' }}
          search={({ account }) => ({ account })}
          className="med"
        >
          {row.name}
        </Link>
      </td>
      <td className="n" title={row.bytes === undefined ? undefined : `${number(row.bytes)} B`}>
        {row.bytes !== undefined && bytes(row.bytes)}
      </td>
      <td className="n">{row.objects !== undefined && number(row.objects)}</td>
      <td>
        <span className="reads">
          <Icon className="i i-s" aria-hidden />
          {say(row.isPrivate ? 'private' : 'public')}
        </span>
      </td>
      <td className="desk-only soft">{row.region}</td>
      <td className="desk-only soft tnum" title={time(row.created)}>
        {shortTime(row.created)}
      </td>
      <td className="acts">
        <Menu
          label={say('actsOf', { bucket: row.name })}
          icon={<Ellipsis className="i" aria-hidden />}
          className="btn icon ghost"
          items={[{ words: say('drop'), icon: <Trash2 className="i" aria-hidden />, danger: true, do: drop }]}
        />
      </td>
    </tr>
  );
}

export function WaitingTable() {
  const say = useWords('buckets');
  return (
    <div className="waiting" role="status" aria-label={say('waiting')}>
      {[42, 30, 55, 36].map((width) => (
        <div key={width} className="skel" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
