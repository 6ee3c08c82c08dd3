/** What the calls return, as on the wire. */

/** 0 standard, 1 infrequent access, 2 archive, 3 deep archive. */
export type StorageClassNumber = 0 | 1 | 2 | 3;

export interface ObjectRecord {
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: StorageClassNumber;
  /** Units of 100 ns since 1970: `putTimeToDate` converts it to a date. `JSON.stringify` refuses a bigint. */
  readonly putTime: bigint;
  /** 1: disabled; absent: enabled. */
  readonly status?: number;
  /** 1 restoring, 2 restored; absent while frozen. */
  readonly restoreStatus?: number;
  readonly endUser?: string;
  /** Unix seconds. */
  readonly expiration?: number;
  readonly transitionToIA?: number;
  readonly transitionToARCHIVE?: number;
  readonly transitionToDeepArchive?: number;
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

export interface BucketRecord {
  readonly name: string;
  readonly region: string;
  readonly private: boolean;
  readonly ctime: string;
}

/**
 * Settings of a bucket, in Qiniu's shape; 0 and 1 are no and yes. Fields for features that Millpond lacks say that they
 * are off.
 */
export interface BucketInfo {
  readonly region: string;
  readonly zone: string;
  readonly private: 0 | 1;
  readonly ctime: string;
  /** Where missing objects come from, separated by `;`. */
  readonly source: string;
  readonly host: string;
  readonly separator: string;
  /** Commands by style name. */
  readonly styles: Readonly<Record<string, string>>;
  readonly no_index_page: 0 | 1;
  readonly max_age: number;
  readonly expires: number;
  readonly protected: 0 | 1;
  readonly anti_leech_mode: number;
  readonly token_anti_leech: number;
  readonly refer_wl: readonly string[];
  readonly refer_bl: readonly string[];
  readonly source_enabled: boolean;
  readonly no_refer: boolean;
  readonly mac_key: string;
  readonly mac_key2: string;
  readonly remark: string;
}

export interface FetchResult {
  readonly key: string;
  readonly hash: string;
  readonly fsize: number;
  readonly mimeType: string;
}

/** Of a fetch in the background; includes what was stored once it is done. */
export interface FetchStatus extends Partial<FetchResult> {
  readonly id: string;
  /** -1 once it has been tried. */
  readonly wait: 0 | -1;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Why it failed. */
  readonly error?: string;
}

/** 0 done, 1 waiting, 2 processing, 3 failed. */
export type TaskCode = 0 | 1 | 2 | 3;

export interface TaskItem {
  readonly cmd: string;
  readonly code: TaskCode;
  readonly desc: string;
  readonly error: string;
  readonly errorIndex?: string;
  readonly hash?: string;
  readonly key?: string;
  readonly keys?: readonly string[];
  readonly returnOld: 0 | 1;
  /** The last output of the engine that failed; for the owner. */
  readonly words?: string;
}

export interface TaskRecord {
  readonly id: string;
  readonly code: TaskCode;
  readonly desc: string;
  readonly pipeline: string;
  readonly reqid: string;
  readonly inputBucket: string;
  readonly inputKey: string;
  readonly creationDate: string;
  readonly type?: 1;
  readonly taskFrom?: string;
  readonly items: readonly TaskItem[];
}

/** As its owner sees it. */
export interface OwnTaskRecord extends TaskRecord {
  readonly percent: number;
  readonly attempts: number;
  readonly finishDate?: string;
}

export interface DeliveryRecord {
  readonly id: string;
  readonly kind: string;
  readonly state: 'unsent' | 'waiting' | 'delivered' | 'failed';
  readonly created: string;
  readonly url: string;
  readonly endpoint?: string;
  readonly entity?: string;
  readonly sequence?: number;
  readonly subject: string;
  readonly reqid: string;
}

export interface DeliveryDetail extends DeliveryRecord {
  readonly contentType: string;
  readonly body: string;
  readonly waits?: string;
  readonly next?: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly begun: string;
    readonly url: string;
    readonly status?: number;
    readonly durationMs: number;
    readonly response?: string;
    readonly error?: string;
  }[];
}

export interface EndpointRecord {
  readonly endpoint: string;
  readonly name: string;
  readonly configured: boolean;
  readonly url?: string;
  readonly state: string;
  readonly failingSince?: string;
  readonly suspended?: string;
  readonly reason?: string;
}

export interface AccountRecord {
  readonly userid: string;
  readonly uid: number;
  readonly parent_uid: number;
  readonly email: string;
  readonly is_disabled: boolean;
}

export interface TokenPair {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

export interface UsageRecord {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly objects: number;
  readonly classes: readonly { readonly type: number; readonly bytes: number; readonly objects: number }[];
  readonly requests: { readonly calls: number; readonly downloads: number };
}
