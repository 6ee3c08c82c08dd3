/** An event of an object as its receivers get it: a CloudEvent 1.0 in structured JSON. */
import { jsonNumber, objectEventType, type WireRecord } from '@millpond/protocol';
import type { EventObject, EventRow } from './object-event.store.ts';

type ObjectEvent = WireRecord<'ObjectEvent'>;

const SEQUENCE_DIGITS = 19;
/** What the specification does not allow in an attribute; a key may have them. */
const DISALLOWED = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

export function cloudEvent(id: string, region: string, row: EventRow): ObjectEvent {
  const { bucket, key, way, object, previous } = row;
  return {
    specversion: '1.0',
    id,
    source: `urn:millpond:${region}:${bucket}`,
    type: objectEventType(row.event),
    ...(key !== '' && { subject: key.replaceAll(DISALLOWED, encodeURIComponent) }),
    time: row.at.toISOString(),
    datacontenttype: 'application/json',
    sequence: row.event_id.toString().padStart(SEQUENCE_DIGITS, '0'),
    data: {
      bucket,
      key,
      ...(way !== null && { way }),
      ...content(object),
      ...(object.endUser !== undefined && { endUser: object.endUser }),
      ...(object.restoreReady !== undefined && { restoreReady: isoTime(object.restoreReady) }),
      ...(object.restoreEnds !== undefined && { restoreEnds: isoTime(object.restoreEnds) }),
      ...(previous !== null && { previous: content(previous) }),
    },
  };
}

function content({ size, hash, mimeType, storageClass, putTime }: EventObject) {
  return { size, hash, mimeType, storageClass, putTime: jsonNumber(BigInt(putTime)) };
}

function isoTime(text: string): string {
  return new Date(text).toISOString();
}
