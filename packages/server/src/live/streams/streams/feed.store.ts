/** SQL of feeds: the secrets with which the server itself publishes a stream. */
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import type { StreamAddress } from '../engine-name.ts';
import type { SealedKey } from '../streams.rows.ts';

// A device that is being removed takes its streams with it: one is made while it is there, or not at all.
const open = statement(
  'live-feed-open',
  `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key, feed_hash)
   SELECT d.ns_id, $2, '', $3, $4, $5 FROM region.devices d
   WHERE d.ns_id = $1 AND d.gbid = split_part($2, '_', 1) FOR KEY SHARE
   ON CONFLICT (ns_id, stream_id) DO UPDATE SET feed_hash = excluded.feed_hash, is_ending = false RETURNING stream_id`,
);
const make = statement(
  'live-feed-make',
  `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key)
   SELECT d.ns_id, k.stream_id, '', k.sealed_key, $4 FROM unnest($2::text[], $3::bytea[]) AS k (stream_id, sealed_key)
   JOIN region.devices d ON d.ns_id = $1 AND d.gbid = split_part(k.stream_id, '_', 1) FOR KEY SHARE OF d
   ON CONFLICT (ns_id, stream_id) DO UPDATE SET is_ending = false`,
);
const end = statement(
  'live-feed-end',
  `WITH of_device AS MATERIALIZED (
     SELECT stream_id, is_online FROM region.live_streams
     WHERE ns_id = $1 AND (stream_id = $2 OR starts_with(stream_id, $2 || '_')) ORDER BY stream_id FOR UPDATE
   ), gone AS (
     DELETE FROM region.live_streams s USING of_device d
     WHERE s.ns_id = $1 AND s.stream_id = d.stream_id AND NOT d.is_online
   )
   UPDATE region.live_streams s SET feed_hash = NULL, is_ending = true FROM of_device d
   WHERE s.ns_id = $1 AND s.stream_id = d.stream_id AND d.is_online`,
);
// Its last recording is reported when the publisher leaves, which may be a moment after it is told to be offline.
const forgetEnded = statement(
  'live-feed-forget-ended',
  `DELETE FROM region.live_streams
   WHERE is_ending AND NOT is_online AND changed_at < now() - $1 * interval '1 second' RETURNING stream_id`,
);
// Closes only the feed it opened: another process may have opened a new one.
const close = statement(
  'live-feed-close',
  `UPDATE region.live_streams SET feed_hash = NULL WHERE ns_id = $1 AND stream_id = $2 AND feed_hash = $3`,
);

export class FeedStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Creates the stream if there is none. False: its device is not there. */
  async open({ nsId, streamId }: StreamAddress, key: SealedKey, hash: Buffer): Promise<boolean> {
    const given = [nsId, streamId, key.sealed_key, key.master_key, hash];
    return (await this.#region.query(open, given)).length === 1;
  }

  async make(nsId: string, streams: readonly string[], keys: readonly SealedKey[]): Promise<void> {
    const sealed = keys.map(({ sealed_key }) => sealed_key);
    await this.#region.query(make, [nsId, streams, sealed, keys[0]?.master_key ?? '']);
  }

  async end(on: Queryable, nsId: string, gbid: string): Promise<void> {
    await on.query(end, [nsId, gbid]);
  }

  async forgetEnded(seconds: number): Promise<number> {
    return (await this.#region.query(forgetEnded, [seconds])).length;
  }

  async close({ nsId, streamId }: StreamAddress, hash: Buffer): Promise<void> {
    await this.#region.query(close, [nsId, streamId, hash]);
  }
}
