/** Objects: records, commits, operations and lists, and the upkeep of their bytes. */

export { setChangeCause } from './change-cause.ts';
export { BodyDigest, type DigestedBody } from './commit/body-digest.ts';
export type { S3Description, StoredChecksum, WriteCondition } from './commit/commit-statement.ts';
export { commitWindowFault, withinCommitWindow } from './commit/freshness.ts';
export { ROOM_FOR_MORE } from './commit/quota-statement.ts';
export { endOfPrefix, firstAfterPrefix } from './lists/key-ranges.ts';
export type { Grouping } from './lists/list.store.ts';
export { createObjects, type ObjectsFeature } from './objects.create.ts';
export type { CommitHook, Committed, Objects } from './objects.service.ts';
export type { ObjectRow, SegmentRow } from './objects.store.ts';
export type { PageOperations } from './operations/page.ts';
export { isOwnersHeader, readMetadataPair } from './operations/response-headers.ts';
export { assertReadable, type RestorableRow } from './restore-status.ts';
export type { PartEntry, S3ListedRow, S3ObjectRow, TaggedRow } from './s3/s3-object.store.ts';
export type { CopyHook, S3ListItem, S3Objects } from './s3/s3-objects.ts';
export type { Collector } from './upkeep/collector.ts';
export type { Undelete } from './upkeep/undelete.ts';
export type { RequestClassMove } from './upkeep-requests.ts';
