/** How an API call is described: for the OpenAPI document, the reference page, and their readers. */
import type { Schema } from '../records/schema.ts';

/** How a caller authenticates. */
export type Credential =
  | 'management'
  | 'management or token'
  | 'upload token'
  | 'download'
  | 'operator session'
  | 'none';

export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly required?: true;
  readonly schema?: Schema;
}

export interface CallDescription {
  /** Its name in generated clients. */
  readonly id: string;
  readonly group: string;
  /** The host, by its role: `rs` stands for `{rs_url}`. */
  readonly role: string;
  /** The first one is recommended; the others are accepted as well. */
  readonly methods: readonly string[];
  /** The path as it is routed, `/stat/*`. */
  readonly route: string;
  /** The path as it is written, `/stat/{EncodedEntryURI}`. */
  readonly path: string;
  readonly about: string;
  readonly credential: Credential;
  /** The parts of the path in braces; those not named here are described by their name in `pathParts`. */
  readonly query?: readonly Parameter[];
  readonly body?: Body;
  readonly answer?: Content;
  /** Statuses besides that of the answer, with their meaning. */
  readonly faults?: Readonly<Record<number, string>>;
}

export interface Body {
  readonly type: string;
  readonly fields?: readonly Parameter[];
  readonly schema?: Schema;
}

export interface Content {
  /** 200 unless stated otherwise. */
  readonly status?: number;
  readonly about?: string;
  /** JSON unless stated otherwise. */
  readonly type?: string;
  readonly schema?: Schema;
}

/** The parts in braces in a path. */
export const pathParts: Readonly<Record<string, string>> = {
  EncodedEntryURI: '`<bucket>:<key>` in URL-safe Base64',
  EncodedEntryURISrc: '`<bucket>:<key>` of the source in URL-safe Base64',
  EncodedEntryURIDest: '`<bucket>:<key>` of the destination in URL-safe Base64',
  EncodedURL: 'a URL in URL-safe Base64',
  EncodedMimeType: 'a media type in URL-safe Base64',
  EncodedDomain: 'a domain in URL-safe Base64',
  EncodedObjectName: 'the key in URL-safe Base64; `~` for no key',
  bucket: 'name of the bucket',
  key: 'key of the object',
  ns: 'id of the namespace',
  stream: 'id of the stream',
  template: 'id of the template',
  file: '`index.m3u8`, or a segment that it names',
  engine: 'id of the engine in the settings',
  gbid: 'id of the device, 20 digits',
  channel: 'id of the channel, 20 digits',
  region: 'id of the region',
  id: 'its id',
  name: 'its name',
  delivery: 'id of the delivery',
  endpoint: 'id of the endpoint',
  uid: 'number of the account',
  reqid: 'id of a request, from the header `X-Reqid` of its answer',
  uploadId: 'id of the upload, from the call that began it',
  partNumber: 'from 1 to 10000',
  freezeAfterDays: 'days that it stays readable, 1 to 7',
  type: 'storage class: 0 standard, 1 infrequent access, 2 archive, 3 deep archive',
  status: '0 enabled, 1 disabled',
  deleteAfterDays: 'days after which it is deleted automatically; 0 cancels that',
  bytes: 'maximum bytes; -1 for no limit',
  objects: 'maximum number of objects; -1 for no limit',
  blockSize: 'bytes of the block, at most 4 MiB',
  fileSize: 'bytes of the file',
  context: 'context of the block, from the last answer',
  offset: 'offset in the block, from the last answer',
};
