/** What the calls return and accept. All of it is as on the wire, except object records: those are easier to use. */
import type { Dialect, EventBody, StorageClass, WireRecord } from '@millpond/protocol';

/** 0 standard, 1 infrequent access, 2 archive, 3 deep archive. */
export type StorageClassNumber = StorageClass;

type Rewritten = 'putTime' | 'x-svc-meta' | 'responseHeaders';

export interface ObjectRecord extends Omit<WireRecord<'Object'>, Rewritten> {
  /** Units of 100 ns since 1970: `putTimeToDate` converts it to a date. `JSON.stringify` refuses a bigint. */
  readonly putTime: bigint;
  /** Custom metadata, whatever the dialect calls it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Headers that downloads carry because the owner set them, with their names as HTTP spells them. */
  readonly responseHeaders: Readonly<Record<string, string>>;
}

export interface ListedObject extends ObjectRecord {
  readonly key: string;
}

/** An entry of a list without a delimiter. */
export interface ObjectEntry {
  readonly item: ListedObject;
  readonly dir?: undefined;
}

/** An object, or the common prefix of several. */
export type ListEntry = ObjectEntry | { readonly item?: undefined; readonly dir: string };

const NO_HEADERS = Object.freeze({});

/** From the record on the wire, whose metadata is under the dialect's own field name. In place: lists have millions of them. */
export function withMetadata<T>(record: Record<string, unknown>, { metaPrefix }: Dialect): T {
  const word = metaPrefix.slice(0, -1);
  record.metadata = record[word] ?? {};
  if (word in record) delete record[word];
  record.responseHeaders ??= NO_HEADERS;
  return record as T;
}

/** A version of an object that was deleted or replaced, and can be brought back. */
export interface TrashedObject extends Omit<WireRecord<'Trashed'>, 'putTime'> {
  readonly putTime: bigint;
}
/** What came of bringing one back: `error` says why it did not work. */
export type Undeleted = WireRecord<'Undeleted'>;

/** Work on many objects: what is to be done, and how far it has come. */
export type NewBulk = WireRecord<'NewBulk'>;
export type BulkRecord = WireRecord<'Bulk'>;

export type BucketRecord = WireRecord<'Bucket'>;
/** Settings of a bucket, in Qiniu's shape. Fields for features that Millpond lacks say that they are off. */
export type BucketInfo = WireRecord<'BucketInfo'>;
export type CorsRule = WireRecord<'CorsRules'>[number];
export type LifecyclePreview = WireRecord<'LifecyclePreview'>;
export type LifecycleRule = WireRecord<'LifecycleRule'>;
/** Which changes of objects are sent to which URL. */
export type EventRule = WireRecord<'EventRule'>;
export type Quota = WireRecord<'Quota'>;
export type Tag = WireRecord<'Tags'>['Tags'][number];
export type Styles = WireRecord<'Styles'>;

export type FetchResult = WireRecord<'Fetched'>;
/** Status of a fetch in the background; includes what was stored once it is done. */
export type FetchStatus = WireRecord<'AsyncFetch'>;

/** Why something waits: the reason for programs, the same in words. */
export type WaitingFor = WireRecord<'WaitingFor'>;

export type TaskRecord = WireRecord<'Task'>;
/** As its owner sees it. */
export type OwnTaskRecord = WireRecord<'OwnTask'>;
export type TaskItem = OwnTaskRecord['items'][number];
/** 0 done, 1 waiting, 2 processing, 3 failed. */
export type TaskCode = TaskRecord['code'];
export type TokenGrant = WireRecord<'TokenGrant'>;
export type Workflow = WireRecord<'Workflow'>;
export type Trigger = WireRecord<'Trigger'>;
export type Pipeline = WireRecord<'Pipeline'>;

export type DeliveryRecord = WireRecord<'Delivery'>;
export type DeliveryDetail = WireRecord<'DeliveryWithAttempts'>;
export type EndpointRecord = WireRecord<'Endpoint'>;
export type RequestTrace = WireRecord<'RequestTrace'>;

export type AccountRecord = WireRecord<'Account'>;
export type ChildKeys = WireRecord<'ChildKeys'>;
export type AuditEntry = WireRecord<'AuditEntry'>;
export type SignedUploadToken = WireRecord<'SignedUploadToken'>;
export type SignedUrl = WireRecord<'SignedUrl'>;
export type OperatorAccount = WireRecord<'OperatorAccount'>;
export type AccessKeyRecord = WireRecord<'AccessKey'>;
export type NewKey = WireRecord<'NewAccessKey'>;
export type KeyLimits = WireRecord<'KeyLimits'>;
export type KeyKind = AccessKeyRecord['kind'];
/** For `verifyRequest` and other verifiers of Standard Webhooks. */
/** A session of the console. */
export type SessionRecord = WireRecord<'Session'>;
export type WebhookSecret = WireRecord<'WebhookSecret'>;
export type TokenPair = WireRecord<'AccessToken'>;
export type UsageRecord = WireRecord<'Usage'>;
export type FigureSeries = WireRecord<'Figures'>;
export type Health = WireRecord<'Health'>;
export type OverviewRecord = WireRecord<'Overview'>;
export type FailureRecord = WireRecord<'Failure'>;

/** What a namespace's callback receives, as JSON: `switch (event.type)` tells them apart. */
export type LiveEvent = EventBody;
/** What the URL of an event rule receives: a CloudEvent, whose `type` tells what happened to the object. */
export interface ObjectEvent extends Omit<WireRecord<'ObjectEvent'>, 'data'> {
  readonly data: Omit<WireRecord<'ObjectEvent'>['data'], 'putTime' | 'previous'> &
    PutTime & { readonly previous?: Omit<ObjectContent, 'putTime'> & PutTime };
}
type ObjectContent = NonNullable<WireRecord<'ObjectEvent'>['data']['previous']>;
/** In units of 100 ns, rounded by `JSON.parse`. */
interface PutTime {
  readonly putTime: number;
}

export type NamespaceFields = WireRecord<'NewNamespace'>;
export type NamespaceRecord = WireRecord<'Namespace'>;
export type TemplateFields = WireRecord<'NewTemplate'>;
export type TemplateRecord = WireRecord<'Template'>;
export type StreamFields = WireRecord<'NewStream'>;
export type StreamRecord = WireRecord<'Stream'>;
export type StreamUrls = WireRecord<'StreamUrls'>;
export type PublishRecord = WireRecord<'Publisher'>;
export type StreamFigures = WireRecord<'StreamFigures'>;
export type RecordingRecord = WireRecord<'Recording'>;
export type SnapshotRecord = WireRecord<'Snapshot'>;
export type DeviceFields = WireRecord<'NewDevice'>;
export type DeviceRecord = WireRecord<'Device'>;
export type ChannelRecord = WireRecord<'Channel'>;
export type ChannelMedia = ChannelRecord['media'];
