/** SQL of what came in from publishers, by minute. Rows live an hour. */
import { type Database, statement } from '../../../platform/db/database.ts';
import type { StreamAddress } from '../engine-name.ts';

export interface IngestMinute {
  readonly at: Date;
  /** Bits a second. */
  readonly bitrate: bigint;
  readonly video: bigint;
  readonly audio: bigint;
}

export interface NewIngest extends StreamAddress {
  readonly bitrate: number;
  readonly video: number;
  readonly audio: number;
}

// Two processes that believe to own the engine write the same: the first counts.
const write = statement(
  'live-ingest-write',
  `WITH gone AS (DELETE FROM region.live_minutes WHERE at < now() - interval '61 minutes')
   INSERT INTO region.live_minutes (ns_id, stream_id, at, bitrate, video, audio)
   SELECT ns_id, stream_id, date_bin('1 minute', now() - interval '30 seconds', timestamptz '1970-01-01 00:00:00Z'), bitrate, video, audio
   FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS i (ns_id, stream_id, bitrate, video, audio)
   ON CONFLICT DO NOTHING`,
);
const read = statement(
  'live-ingest-read',
  `SELECT at, bitrate, video, audio FROM region.live_minutes
   WHERE ns_id = $1 AND stream_id = $2 AND at > now() - interval '61 minutes' ORDER BY at`,
);

export class IngestStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async write(streams: readonly NewIngest[]): Promise<void> {
    const column = (of: (stream: NewIngest) => string | number) => streams.map(of);
    await this.#region.query(write, [
      column(({ nsId }) => nsId),
      column(({ streamId }) => streamId),
      ...(['bitrate', 'video', 'audio'] as const).map((name) => column((stream) => Math.round(stream[name]))),
    ]);
  }

  minutes({ nsId, streamId }: StreamAddress): Promise<IngestMinute[]> {
    return this.#region.query<IngestMinute>(read, [nsId, streamId]);
  }
}
