import { type ObjectEventName, objectEvents, objectEventType } from '../object-events.ts';
import { hundredNanoseconds, integer, listOf, oneOf, record, said, text, time } from './schema.ts';

const putTime = said(
  hundredNanoseconds,
  'when its content was put, in units of 100 ns; beyond 2^53, so read it as a 64-bit integer',
);
const content = {
  size: said(integer, 'bytes'),
  hash: text,
  mimeType: text,
  storageClass: integer,
  putTime,
};
const names = Object.keys(objectEvents) as ObjectEventName[];

const rule = record({
  name: text,
  url: said(text, 'where its events are sent'),
  events: said(listOf(text), 'such as `created`, or `created.copy` for one way only'),
  'prefix?': said(text, 'only keys that begin with it'),
  'suffix?': said(text, 'only keys that end in it'),
  'minSize?': said(integer, 'only objects of at least this many bytes'),
  'maxSize?': said(integer, 'only objects of at most this many bytes'),
});

export const objectEventRecords = {
  EventRule: rule,
  ObjectEvent: said(
    record({
      specversion: oneOf(['1.0']),
      id: said(text, 'the same on every try'),
      source: said(text, '`urn:millpond:<region>:<bucket>`'),
      type: oneOf(names.map(objectEventType)),
      'subject?': said(text, 'the key; control characters are percent-encoded; absent if the key is empty'),
      time: said(time, 'when it happened'),
      datacontenttype: oneOf(['application/json']),
      sequence: said(text, 'grows with the changes of a key; compared as text'),
      data: record({
        bucket: text,
        key: text,
        'way?': said(text, 'how it came about'),
        ...content,
        'endUser?': text,
        'restoreReady?': said(time, 'when the object can be read'),
        'restoreEnds?': said(time, 'when it is frozen again'),
        'previous?': said(record(content), 'what was there before'),
      }),
    }),
    'a CloudEvent 1.0, sent as `application/cloudevents+json`',
  ),
};
