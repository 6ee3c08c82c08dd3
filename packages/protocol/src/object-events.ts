/**
 * Events of objects: which there are, by which ways each comes about. Rules of a bucket select
 * them by name (`created`), or by name and way (`created.copy`). `records/object-events.ts` has what a receiver gets.
 */

/** Ways in which content gets under a key. */
export const creationCauses = {
  form: 'an upload in one request',
  parts: 'an upload in parts',
  blocks: 'an upload in blocks, the older form',
  fetch: 'a fetch from a URL',
  mirror: 'a miss of a mirrored bucket',
  copy: 'a copy',
  move: 'a move',
  process: 'the result of a processing command',
  record: 'a recording of a live stream',
  snapshot: 'a snapshot of a live stream',
  undelete: 'an operator who brought it back',
  's3-put': 'PutObject of S3',
  's3-post': 'a form of S3',
  's3-parts': 'CompleteMultipartUpload of S3',
  's3-copy': 'CopyObject of S3',
} as const;
export type CreationCause = keyof typeof creationCauses;

const automatic = {
  schedule: 'a schedule of the object itself',
  rule: 'a lifecycle rule of its bucket',
} as const;

export const objectEvents = {
  created: { about: 'An object was created under a key that had none', ways: creationCauses },
  overwritten: { about: 'An object got new content', ways: creationCauses },
  deleted: {
    about: 'An object was deleted',
    ways: { delete: 'a call', move: 'a move to another key' },
  },
  expired: { about: 'An object was deleted because its time had come', ways: automatic },
  classChanged: { about: 'An object changed its storage class', ways: { chtype: 'a call', ...automatic } },
  restoring: { about: 'A restore of an archive object was requested', ways: {} },
  restored: { about: 'A restored archive object can be read', ways: {} },
  frozen: { about: 'The restore of an archive object has ended', ways: {} },
} as const;
export type ObjectEventName = keyof typeof objectEvents;
/** Ways of objects that come, go or change class. */
export type ChangeCause = CreationCause | keyof typeof automatic;

/** All that a rule may select: `created`, `created.form`, … */
export const selectableEvents: readonly string[] = Object.entries(objectEvents).flatMap(
  ([name, { ways }]) => [name, ...Object.keys(ways).map((way) => `${name}.${way}`)],
);

export const OBJECT_EVENT_MEDIA_TYPE = 'application/cloudevents+json';

export function objectEventType<Name extends ObjectEventName>(name: Name): `millpond.object.${Name}` {
  return `millpond.object.${name}`;
}
