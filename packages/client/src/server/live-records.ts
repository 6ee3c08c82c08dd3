/** What the live calls return and accept. Times are unix seconds. */

export interface NamespaceFields {
  readonly name: string;
  readonly desc?: string;
  /** Cannot be changed later. Default: `rtmp`. */
  readonly accessType?: 'rtmp' | 'gb28181';
  /** Where its events go. */
  readonly callback?: string;
  /** Seconds until a stream that is gone is reported offline. */
  readonly offlineDelay?: number;
  /** 1: publish with a key; 2: with tokens that expire. */
  readonly rtmpUrlType?: 1 | 2;
  readonly recordTemplateId?: string;
  readonly snapshotTemplateId?: string;
  readonly recordTemplateApplyAll?: boolean;
  readonly snapshotTemplateApplyAll?: boolean;
}

export interface NamespaceRecord extends Required<NamespaceFields> {
  readonly id: string;
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TemplateFields {
  readonly name: string;
  readonly desc?: string;
  readonly bucket: string;
  /** 0: recordings; 1: snapshots. */
  readonly templateType?: 0 | 1;
  /** 0: keep for ever. */
  readonly deleteAfterDays?: number;
  readonly fileType?: 0 | 1;
  /** 0: none; 1: all the time; 2: on demand. */
  readonly recordType?: 0 | 1 | 2;
  readonly recordFileFormat?: number;
  /** Seconds; 0: no periodic snapshots. */
  readonly snapInterval?: number;
  readonly jpgOverwriteStatus?: boolean;
  readonly jpgSequenceStatus?: boolean;
  readonly jpgOnDemandStatus?: boolean;
  readonly mp4FileNameTemplate?: string;
  readonly jpgOverwriteFileNameTemplate?: string;
  readonly jpgSequenceFileNameTemplate?: string;
  readonly jpgOnDemandFileNameTemplate?: string;
}

export interface TemplateRecord extends TemplateFields {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface StreamFields {
  readonly streamId: string;
  readonly desc?: string;
  readonly recordTemplateId?: string;
  readonly snapshotTemplateId?: string;
}

export interface StreamRecord extends Required<StreamFields> {
  readonly nsId: string;
  readonly nsName: string;
  /** Whether it is online. */
  readonly status: boolean;
  readonly disabled: boolean;
  /** 0: never. */
  readonly lastPushedAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The key that its publisher presents. */
  readonly key?: string;
}

export interface StreamUrls {
  readonly publishUrl: string;
  readonly playUrls: { readonly hls: string };
}

export interface PublishRecord {
  readonly start: number;
  /** Absent while it continues. */
  readonly end?: number;
  readonly duration?: number;
  readonly clientIp: string;
}

export interface RecordingRecord {
  readonly url: string;
  /** 1: real-time; 2: on demand. */
  readonly type: 1 | 2;
  readonly start: number;
  readonly end: number;
  readonly duration: number;
  readonly format: number;
  /** Its key in the bucket. */
  readonly file: string;
}

export interface SnapshotRecord {
  readonly snap: string;
  readonly file: string;
  readonly time: number;
}

export interface DeviceFields {
  readonly password: string;
  /** 20 digits; absent: the server assigns one. */
  readonly gbId?: string;
  readonly name?: string;
  readonly desc?: string;
  /** 1: a camera; 2: a platform. */
  readonly type?: 1 | 2;
  readonly username?: string;
}

export interface DeviceRecord extends Required<Omit<DeviceFields, 'password'>> {
  readonly nsId: string;
  readonly nsName: string;
  readonly pullIfRegister: boolean;
  readonly state: 'online' | 'offline' | 'notReg';
  /** How many it has. */
  readonly channels: number;
  /** How many channels are wanted, how many have video, and why not all of them do. */
  readonly media: { readonly wanted: number; readonly running: number; readonly reason: string };
  readonly vendor: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0: never. */
  readonly lastRegisterAt: number;
  readonly lastKeepaliveAt: number;
}

export interface ChannelRecord {
  readonly gbId: string;
  readonly name: string;
  readonly state: 'online' | 'offline';
  readonly vendor: string;
  readonly lastSyncAt: number;
  readonly media: ChannelMedia;
}

export interface ChannelMedia {
  readonly wanted: boolean;
  /** Empty if it is not wanted. */
  readonly state: '' | 'waiting' | 'inviting' | 'running' | 'failed';
  /** Why there is no video. */
  readonly reason: string;
  /** The stream of its video. */
  readonly streamId: string;
}
