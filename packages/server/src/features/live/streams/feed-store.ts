/** SQL of feeds: the secrets with which the server itself publishes a stream. */

import { faultWhereUnlinked } from '../../../platform/db/constraints.ts';
import { type Database, statement } from '../../../platform/db/database.ts';
import type { StreamAddress } from '../engine-name.ts';
import { goneFault } from '../namespaces/namespace-store.ts';
import type { SealedKey } from '../rows.ts';

const open = statement(
  'live-feed-open',
  `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key, feed_hash)
   SELECT ns_id, $2, '', $3, $4, $5 FROM region.live_namespaces WHERE ns_id = $1 AND access_type = 'gb28181'
   ON CONFLICT (ns_id, stream_id) DO UPDATE SET feed_hash = excluded.feed_hash RETURNING stream_id`,
);
const make = statement(
  'live-feed-make',
  `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key)
   SELECT $1, k.stream_id, '', k.sealed_key, $4 FROM unnest($2::text[], $3::bytea[]) AS k (stream_id, sealed_key)
   ON CONFLICT DO NOTHING`,
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

  /** Creates the stream if there is none. False: it is not a namespace of devices. */
  async open({ nsId, streamId }: StreamAddress, key: SealedKey, hash: Buffer): Promise<boolean> {
    const given = [nsId, streamId, key.sealed_key, key.master_key, hash];
    return (await this.#region.query(open, given)).length === 1;
  }

  async make(nsId: string, streams: readonly string[], keys: readonly SealedKey[]): Promise<void> {
    const sealed = keys.map(({ sealed_key }) => sealed_key);
    const making = this.#region.query(make, [nsId, streams, sealed, keys[0]?.master_key ?? '']);
    await faultWhereUnlinked(making, goneFault);
  }

  async close({ nsId, streamId }: StreamAddress, hash: Buffer): Promise<void> {
    await this.#region.query(close, [nsId, streamId, hash]);
  }
}
