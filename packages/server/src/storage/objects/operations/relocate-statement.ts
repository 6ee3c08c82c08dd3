/**
 * Copy and move as one statement: the bytes stay where they are, a second row names them, and a move deletes the first
 * row. The source is locked, so that at every moment some row visible to others names the bytes: the collector can't
 * come between.
 *
 * Values: $1 and $2 are bucket and key of the source, $3 and $4 those of the target, $5 is the way for events.
 */
import type { CreationCause } from '@millpond/protocol';
import { setChangeCauseSql } from '../change-cause.ts';
import { overQuota } from '../commit/quota-statement.ts';
import { CONTENT_COLUMNS, OWN_COLUMNS, overwriteBy } from '../object-columns.ts';
import { IS_READABLE_SQL } from '../restore-status.ts';

export interface Relocation {
  readonly kind: 'copy' | 'move';
  /** Replaces an existing target. */
  readonly force: boolean;
  /** For events; the kind itself if undefined. */
  readonly way?: CreationCause | undefined;
}

export function relocateStatement({ kind, force }: Relocation): string {
  const columns = [...CONTENT_COLUMNS, ...OWN_COLUMNS];
  const values = [...CONTENT_COLUMNS, ...OWN_COLUMNS.map((name) => (kind === 'move' ? name : 'NULL'))];
  // Tells the trigger that keeps deleted objects that this is a move; the setting ends with the statement's transaction.
  const said = kind === 'move' ? "set_config('millpond.removal', 'move', true)" : "''";
  return `
WITH judged AS MATERIALIZED (
  SELECT coalesce((SELECT state = 'open' FROM region.bucket_gate WHERE bucket_id = $3), false) AS open, ${said} AS said
), locked AS MATERIALIZED (
  ${force ? LOCK_BOTH : `${SOURCE} ${kind === 'move' ? 'FOR UPDATE' : 'FOR SHARE'}`}
), source AS MATERIALIZED (
  SELECT *, ${IS_READABLE_SQL} AS readable FROM locked WHERE bucket_id = $1 AND key = $2
), room AS MATERIALIZED (
  SELECT NOT EXISTS (SELECT FROM region.bucket_gate gate, source
                     WHERE gate.bucket_id = $3 AND ${GROWS_TARGET[kind]} AND ${overQuota(QUOTA_INPUT)}) AS has_room
), written AS (
  INSERT INTO region.objects AS o (bucket_id, key, put_time, ${columns.join(', ')})
  SELECT $3, $4, region.put_time_now(), ${values.join(', ')}
  FROM source, judged, room WHERE open AND readable AND has_room
  ON CONFLICT (bucket_id, key) DO ${force ? `UPDATE SET ${overwriteBy(columns)}` : 'NOTHING'}
  RETURNING ${setChangeCauseSql('$5')}
)${kind === 'move' ? REMOVAL : ''}
SELECT judged.open, judged.said, room.has_room, source.class, source.readable, source.blob_id, source.segment_count,
       EXISTS (SELECT FROM written) AS written
FROM judged CROSS JOIN room LEFT JOIN source ON true`;
}

/** Whether the target's bucket grows; its quota is then checked as for an upload. */
const GROWS_TARGET = { copy: 'true', move: '$1::bigint <> $3::bigint' };

const QUOTA_INPUT = { bucketId: '$3', key: '$4', size: 'source.fsize' };

const SOURCE = 'SELECT * FROM region.objects WHERE bucket_id = $1 AND key = $2';

// Locked in key order, whichever is the source: two calls that swap the same objects must not deadlock.
const LOCK_BOTH = `SELECT * FROM region.objects
  WHERE (bucket_id = $1 AND key = $2) OR (bucket_id = $3 AND key = $4) ORDER BY bucket_id, key FOR UPDATE`;

const REMOVAL = `, removed AS (
  DELETE FROM region.objects WHERE bucket_id = $1 AND key = $2 AND EXISTS (SELECT FROM written)
)`;
