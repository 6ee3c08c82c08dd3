/**
 * The types of events of live streams and devices, and what each one's body holds (those of objects are in object-events.ts; the
 * end of a task is told by its record). `live/streams/events.ts` of the server writes them with their
 * cause; receivers get them as JSON, and OpenAPI lists them as webhooks.
 */
import { integer, oneOf, record, type TypeOf, text, unixSeconds, withDescription } from './records/schema.ts';

const workCode = oneOf([0, 1, 2, 3], '0 done, 1 waiting, 2 processing, 3 failed');
const errmsg = withDescription(text, 'why it failed; empty if it did not');

/** What every event holds besides its own fields. */
const common = {
  nsId: withDescription(text, 'id of the namespace'),
  timeSec: withDescription(unixSeconds, 'unix seconds: when it happened, even if it is sent much later'),
  reqId: text,
};

export const eventTypes = {
  stream: {
    about: 'A stream went online or offline',
    body: record({
      type: oneOf(['stream']),
      ...common,
      streamId: text,
      streamState: oneOf([0, 1], '0: offline; 1: online'),
    }),
  },
  device: {
    about: 'A device, or one of its channels, went online or offline',
    body: record({
      type: oneOf(['device']),
      ...common,
      gbid: text,
      chGbid: withDescription(text, 'empty: the device itself'),
      deviceState: oneOf(['online', 'offline']),
    }),
  },
  record: {
    about: 'A recording was stored, or failed',
    body: record({
      type: oneOf(['record']),
      ...common,
      streamId: text,
      start: unixSeconds,
      end: unixSeconds,
      duration: withDescription(integer, 'seconds'),
      fname: withDescription(text, 'its key in the bucket'),
      recordType: oneOf([1, 2], '1: all the time; 2: on demand'),
      code: workCode,
      errmsg,
    }),
  },
  snap: {
    about: 'A snapshot was stored, or failed',
    body: record({
      type: oneOf(['snap']),
      ...common,
      streamId: text,
      fname: withDescription(text, 'its key in the bucket'),
      code: workCode,
      errmsg,
    }),
  },
};

export type EventType = keyof typeof eventTypes;
export type EventBody<Type extends EventType = EventType> = {
  [Each in Type]: TypeOf<(typeof eventTypes)[Each]['body']>;
}[Type];
/** What its cause says of an event; the rest is the same for all. */
export type EventFacts<Type extends EventType = EventType> = {
  [Each in Type]: Omit<EventBody<Each>, keyof typeof common>;
}[Type];
