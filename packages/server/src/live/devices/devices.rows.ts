/** Rows of devices and their channels, as statements return them. */
import type { MediaState } from './media/device-media.store.ts';

export interface DeviceRow {
  readonly device_id: bigint;
  readonly ns_id: string;
  readonly ns_name: string;
  readonly gbid: string;
  readonly name: string;
  readonly description: string;
  readonly kind: 1 | 2;
  readonly username: string;
  readonly user_agent: string;
  readonly is_online: boolean;
  readonly registered_at: Date | null;
  readonly seen_at: Date | null;
  readonly channels: bigint;
  /** About its channels: how many are wanted, how many run, and why the others do not. */
  readonly media_wanted: bigint;
  readonly media_running: bigint;
  readonly media_reason: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ChannelRow {
  readonly gbid: string;
  readonly name: string;
  readonly vendor: string;
  readonly is_online: boolean;
  readonly synced_at: Date;
  readonly stream_id: string;
  readonly media_wanted: boolean;
  /** Empty if it is not wanted. */
  readonly media_state: MediaState | '';
  readonly media_reason: string;
}
