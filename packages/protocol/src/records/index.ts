/**
 * Every record of the API, described once: the OpenAPI document shows it, the server's answers have its type, and so
 * have the client's results.
 */
import { accountRecords } from './accounts.ts';
import { bucketRecords } from './buckets.ts';
import { bulkRecords } from './bulk.ts';
import { deliveryRecords } from './deliveries.ts';
import { deviceRecords } from './devices.ts';
import { figureRecords } from './figures.ts';
import { liveRecords } from './live.ts';
import { objectEventRecords } from './object-events.ts';
import { objectRecords } from './objects.ts';
import { processingRecords } from './processing.ts';
import { requestRecords } from './requests.ts';
import { record, type Schema, type TypeOf, text, withDescription } from './schema.ts';
import { sessionRecords } from './sessions.ts';
import { waitingRecords } from './waiting.ts';

/** By their names in the OpenAPI document. */
export const records = {
  Error: record({
    error: withDescription(text, 'one of the texts in [errors](errors.md)'),
    'hint?': withDescription(text, 'what was wrong with this request'),
  }),
  ...waitingRecords,
  ...accountRecords,
  ...sessionRecords,
  ...bucketRecords,
  ...objectRecords,
  ...bulkRecords,
  ...objectEventRecords,
  ...processingRecords,
  ...deliveryRecords,
  ...requestRecords,
  ...deviceRecords,
  ...liveRecords,
  ...figureRecords,
};
export type RecordName = keyof typeof records;

/** As it is on the wire: `WireRecord<'Delivery'>`. */
export type WireRecord<Name extends RecordName> = TypeOf<(typeof records)[Name]>;

/** A page of a list; no marker on the last one. */
export type WirePage<Name extends RecordName> = {
  readonly items: readonly WireRecord<Name>[];
  readonly marker?: string | undefined;
};

export function ref<Name extends RecordName>(name: Name): Schema<WireRecord<Name>> {
  return { $ref: `#/components/schemas/${name}` };
}
