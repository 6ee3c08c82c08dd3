/** The event that is sent on request, to see whether a receiver takes it: a CloudEvent of a type that nothing else has. */
import { OBJECT_EVENT_MEDIA_TYPE } from '@millpond/protocol';
import type { EndpointRow } from './endpoint.store.ts';
import type { NewEvent } from './new-event.ts';

const TYPE = 'millpond.test';

/** `url`: where it goes. */
export function testEvent(id: string, endpoint: EndpointRow, url: string, reqid: string): NewEvent {
  const { endpoint_id: number, name, uid, is_configured: isConfigured } = endpoint;
  const event = {
    specversion: '1.0',
    id,
    source: `urn:millpond:endpoint:${number}`,
    type: TYPE,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { endpoint: String(number), name, message: 'A test. Answer it with 2xx, like every event.' },
  };
  return {
    kind: 'test',
    uid,
    accessKey: undefined,
    url,
    endpoint: isConfigured ? name : undefined,
    // Receivers of object events may insist on theirs.
    contentType: name.startsWith('bucket ') ? OBJECT_EVENT_MEDIA_TYPE : 'application/json',
    body: Buffer.from(JSON.stringify(event)),
    entity: undefined,
    subject: `test of ${name}`,
    reqid,
  };
}
