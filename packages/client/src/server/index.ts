/**
 * For servers that hold access keys: signing, tokens, every call of the published API and of our own, and everything
 * from the other entry point.
 */
export {
  type AccessKeyPair,
  type Condition,
  dateOfPutTime as putTimeToDate,
  type EncodeOptions,
  type PolicyFields,
} from '@millpond/protocol';
export * from '../index.ts';
export type { AccessTokens } from './access-tokens.ts';
export type { Accounts, AuditFilter } from './accounts.ts';
export type { Buckets, RegionQuery } from './buckets.ts';
export type { Bulk, BulkFilter, BulkWaitOptions } from './bulk.ts';
export type { CallOptions } from './caller.ts';
export {
  Client,
  type ClientOptions,
  type DownloadUrlOptions,
  type OwnUploadOptions,
  type PlaylistOptions,
} from './client.ts';
export type { Credentials } from './credentials.ts';
export type { Deliveries, DeliveryFilter } from './deliveries.ts';
export type { BackgroundFetch, Fetches } from './fetches.ts';
export { type Hosts, type Role, roles } from './hosts.ts';
export type { ListOptions, ObjectListChunk, ObjectPage } from './lists.ts';
export type { FieldChanges, ListPage, RangePageOptions, TimeRange } from './live/calls.ts';
export type { ChannelCounts, DeviceFilter, Devices } from './live/devices.ts';
export type { Live } from './live/live.ts';
export type { StreamFilter, Streams } from './live/streams.ts';
export { type BatchOutcome, MAX_BATCH_SIZE, type Objects } from './objects.ts';
export { type MetadataChange, type ObjectLifecycle, type ObjectRef, operations } from './operations.ts';
export type { AccountFilter, FiguresQuery, Operator } from './operator.ts';
export type { PageOptions, Processing, Submission, TaskFilter, TaskPage } from './processing.ts';
export type * from './records.ts';
export type { Requests } from './requests.ts';
export type { Sessions } from './sessions.ts';
export type { Trash, TrashOptions } from './trash.ts';
