/** Fields of a stream: as received, and as shown. */
import type { WireRecord } from '@millpond/protocol';
import { unixSeconds } from '../../../platform/web/index.ts';
import {
  invalidField,
  patternField,
  stringField,
  type ValuesOf,
} from '../../../platform/web/resources/index.ts';
import { isStreamId } from '../ids.ts';
import type { SessionRow, StreamRow } from '../streams.rows.ts';

const TEMPLATE = /^[a-z0-9]{0,12}$/;

export const streamFields = {
  desc: stringField(1000),
  recordTemplateId: patternField(TEMPLATE, 'the id of a template'),
  snapshotTemplateId: patternField(TEMPLATE, 'the id of a template'),
};
export type StreamValues = ValuesOf<typeof streamFields>;

export function readStreamId(value: unknown): string {
  if (typeof value !== 'string' || !isStreamId(value))
    throw invalidField('streamId must be 1 to 100 letters, digits, - and _');
  return value;
}

export function streamValues(row: StreamRow): StreamValues {
  return {
    desc: row.description,
    recordTemplateId: row.record_template_id ?? '',
    snapshotTemplateId: row.snapshot_template_id ?? '',
  };
}

export function streamJson(row: StreamRow, nsName: string): WireRecord<'Stream'> {
  return {
    streamId: row.stream_id,
    nsId: row.ns_id,
    nsName,
    ...streamValues(row),
    status: row.is_online,
    starting: isStarting(row),
    disabled: row.is_disabled,
    lastPushedAt: row.last_pushed_at === null ? 0 : unixSeconds(row.last_pushed_at),
    createdAt: unixSeconds(row.created_at),
    updatedAt: unixSeconds(row.updated_at),
  };
}

/** Online, and its first segment is still to come. */
function isStarting({ is_online, playable_at }: Pick<StreamRow, 'is_online' | 'playable_at'>): boolean {
  return is_online && playable_at === null;
}

export function publisherJson(row: SessionRow): WireRecord<'Publisher'> {
  const end = row.ended_at === null ? undefined : unixSeconds(row.ended_at);
  const start = unixSeconds(row.began_at);
  return { start, end, duration: end && end - start, clientIp: row.address };
}
