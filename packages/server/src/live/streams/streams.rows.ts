/** Rows of live’s tables, as statements return them. */

export interface NamespaceRow {
  readonly ns_id: string;
  readonly uid: bigint;
  readonly name: string;
  readonly description: string;
  readonly access_type: 'rtmp' | 'gb28181';
  readonly callback: string;
  readonly offline_delay: number;
  readonly url_type: 1 | 2;
  readonly is_disabled: boolean;
  readonly record_template_id: string | null;
  readonly snapshot_template_id: string | null;
  readonly is_record_for_all: boolean;
  readonly is_snapshot_for_all: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TemplateRow {
  readonly template_id: string;
  readonly uid: bigint;
  readonly name: string;
  readonly description: string;
  readonly kind: 0 | 1;
  readonly bucket: string;
  readonly delete_after_days: number;
  readonly storage_class: 0 | 1;
  readonly record_type: 0 | 1 | 2;
  readonly record_formats: number;
  readonly snap_interval: number;
  readonly jpg_overwrite: boolean;
  readonly jpg_sequence: boolean;
  readonly jpg_on_demand: boolean;
  readonly mp4_name: string;
  readonly jpg_overwrite_name: string;
  readonly jpg_sequence_name: string;
  readonly jpg_on_demand_name: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SealedKey {
  readonly sealed_key: Buffer;
  readonly master_key: string;
}

export interface StreamRow extends SealedKey {
  readonly ns_id: string;
  readonly stream_id: string;
  readonly description: string;
  readonly record_template_id: string | null;
  readonly snapshot_template_id: string | null;
  readonly is_disabled: boolean;
  readonly is_online: boolean;
  /** Null while it is offline, and while it is online without anything to play. */
  readonly playable_at: Date | null;
  readonly last_pushed_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SessionRow {
  readonly engine: string;
  readonly boot: string;
  readonly client: string;
  readonly ns_id: string;
  readonly stream_id: string;
  readonly address: string;
  readonly began_at: Date;
  readonly ended_at: Date | null;
}

export interface RecordRow {
  readonly record_id: string;
  readonly engine: string;
  readonly file: string;
  readonly ns_id: string;
  readonly stream_id: string;
  /** Null: the namespace is gone. */
  readonly uid: bigint | null;
  readonly record_type: 1 | 2;
  readonly template_id: string;
  readonly code: 0 | 1 | 2 | 3;
  readonly errmsg: string;
  readonly start_at: Date;
  readonly end_at: Date;
  readonly bucket: string;
  readonly fname: string;
  readonly head_bytes: number;
  readonly tries: number;
  readonly expires_at: Date | null;
}

export interface SnapRow {
  readonly snap_id: string;
  readonly engine: string;
  readonly ns_id: string;
  readonly stream_id: string;
  /** Null: the namespace is gone. */
  readonly uid: bigint | null;
  /** Whose turn it takes. */
  readonly tenant: bigint | null;
  readonly is_overwritten: boolean;
  readonly code: 0 | 1 | 2 | 3;
  readonly taken_at: Date;
  readonly bucket: string;
  readonly fname: string;
  readonly storage_class: number;
  readonly expires_at: Date | null;
  /** Another owner had already started it. */
  readonly is_left: boolean;
}
