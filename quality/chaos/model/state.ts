/** What the server should hold, as plain data: buckets with their objects, what was deleted, and unfinished uploads. */
import type { Content } from './contents.ts';

/** One of the sequence's buckets by its number, and a key. */
export interface ObjectRef {
  readonly bucket: number;
  readonly key: string;
}

export interface ModelObject {
  readonly content: Content;
  /** Hash of the content as it came: that of an upload in parts differs from that of the bytes. */
  readonly hash: string;
  /** The etag of S3; undefined if the object came by the other calls. */
  readonly etag: string | undefined;
  readonly mimeType: string;
  readonly detectedType: string;
  readonly meta: Readonly<Record<string, string>>;
  /** Cache-Control of its downloads; empty: none. */
  readonly caching: string;
  readonly type: number;
  /** When the restore of an archive object was requested, or that it is over. */
  readonly restore: Restore;
  readonly expires: boolean;
  /** Unknown until it is first read. */
  readonly putTime: bigint | undefined;
  /** What the object that it replaced had. */
  readonly laterThan: bigint;
  /** Different for everything that is put; changes of an object leave it. */
  readonly version: number;
}

export type Restore = 'frozen' | 'restored' | { readonly askedAt: number };

/** What is in the trash, with the time it came there. */
export interface Trashed {
  readonly held: ModelObject;
  readonly at: number;
}

export interface ModelBucket {
  /** On the wire. */
  readonly name: string;
  exists: boolean;
  isPrivate: boolean;
  readonly objects: Map<string, ModelObject>;
  /** By key, the latest last. */
  readonly trash: Map<string, Trashed[]>;
  /** By key, since the bucket has a rule; undefined: it has none. */
  told: Map<string, ExpectedEvent[]> | undefined;
  /** Callbacks of uploads: how many were answered for, and of how many nobody knows. */
  readonly callbacks: { sure: number; open: number };
}

/** An event that must arrive. */
export interface ExpectedEvent {
  readonly event: string;
  readonly way: string | undefined;
  readonly hash: string;
  readonly previous: string | undefined;
  /** A kill left open whether it happened. */
  readonly isSure: boolean;
}

/** An upload in parts. */
export interface Upload {
  readonly at: ObjectRef;
  readonly id: string;
  readonly type: number;
  readonly parts: Map<number, Content>;
  /** Ended: given up, or gone with its bucket. */
  state: 'begun' | 'completed' | 'ended';
  /** Version of the object that it made. */
  version: number | undefined;
}

export interface Model {
  readonly spaces: readonly ModelBucket[];
  /** By the protocol that began them, which alone continues them. */
  readonly uploads: Readonly<Record<'native' | 's3', Upload[]>>;
  /** Ids of those that were submitted. */
  readonly tasks: Set<string>;
}

export const BUCKETS = 3;

/** An object that is put now by the calls of the interface, unless changed. */
export const NEW: Omit<ModelObject, 'content' | 'hash' | 'mimeType' | 'detectedType'> = {
  etag: undefined,
  meta: {},
  caching: '',
  type: 0,
  restore: 'frozen',
  expires: false,
  putTime: undefined,
  laterThan: 0n,
  version: 0,
};

/** Buckets 0 and 1 are there from the beginning. */
export function newModel(prefix: string): Model {
  const spaces = Array.from({ length: BUCKETS }, (_, number) =>
    newModelBucket(`${prefix}-${number}`, number < 2),
  );
  return { spaces, uploads: { native: [], s3: [] }, tasks: new Set() };
}

function newModelBucket(name: string, exists: boolean): ModelBucket {
  return {
    name,
    exists,
    isPrivate: false,
    told: undefined,
    objects: new Map(),
    trash: new Map(),
    callbacks: { sure: 0, open: 0 },
  };
}

export function spaceOf(model: Model, { bucket }: Pick<ObjectRef, 'bucket'>): ModelBucket {
  const space = model.spaces[bucket];
  if (space === undefined) throw new RangeError(`no bucket ${bucket}`);
  return space;
}

/** The object there; undefined also if the bucket is not there. */
export function heldAt(model: Model, object: ObjectRef): ModelObject | undefined {
  return spaceOf(model, object).objects.get(object.key);
}

export function isArchive({ type }: Pick<ModelObject, 'type'>): boolean {
  return type >= 2;
}

export function isReadable(held: ModelObject): boolean {
  return !isArchive(held) || held.restore === 'restored';
}

/** The bucket was dropped, with its unfinished uploads. */
export function clear(model: Model, bucket: number): void {
  const space = spaceOf(model, { bucket });
  for (const upload of Object.values(model.uploads).flat())
    if (upload.at.bucket === bucket) upload.state = 'ended';
  space.exists = false;
  space.isPrivate = false;
  space.told = undefined;
  space.objects.clear();
  space.trash.clear();
}
