import { type ObjectEventName, objectEvents, objectEventType } from '../object-events.ts';
import { hundredNanoseconds, integer, listOf, oneOf, record, text, time, withDescription } from './schema.ts';

const putTime = withDescription(
  hundredNanoseconds,
  'when its content was put, in units of 100 ns; beyond 2^53, so read it as a 64-bit integer',
);
const content = {
  size: withDescription(integer, 'bytes'),
  hash: text,
  mimeType: text,
  storageClass: integer,
  putTime,
};
const names = Object.keys(objectEvents) as ObjectEventName[];

const rule = record({
  name: text,
  url: withDescription(text, 'where its events are sent'),
  events: withDescription(listOf(text), 'such as `created`, or `created.copy` for one way only'),
  'prefix?': withDescription(text, 'only keys that begin with it'),
  'suffix?': withDescription(text, 'only keys that end in it'),
  'minSize?': withDescription(integer, 'only objects of at least this many bytes'),
  'maxSize?': withDescription(integer, 'only objects of at most this many bytes'),
});

export const objectEventRecords = {
  EventRule: rule,
  ObjectEvent: withDescription(
    record({
      specversion: oneOf(['1.0']),
      id: withDescription(text, 'the same on every try'),
      source: withDescription(text, '`urn:millpond:<region>:<bucket>`'),
      type: oneOf(names.map(objectEventType)),
      'subject?': withDescription(
        text,
        'the key; control characters are percent-encoded; absent if the key is empty',
      ),
      time: withDescription(time, 'when it happened'),
      datacontenttype: oneOf(['application/json']),
      sequence: withDescription(text, 'grows with the changes of a key; compared as text'),
      data: record({
        bucket: text,
        key: text,
        'way?': withDescription(text, 'how it came about'),
        ...content,
        'endUser?': text,
        'restoreReady?': withDescription(time, 'when the object can be read'),
        'restoreEnds?': withDescription(time, 'when it is frozen again'),
        'previous?': withDescription(record(content), 'what was there before'),
      }),
    }),
    'a CloudEvent 1.0, sent as `application/cloudevents+json`',
  ),
};
