/** An event on its way to a receiver, as its cause hands it in. */
export interface NewEvent {
  readonly kind: 'notification' | 'live' | 'object' | 'test';
  readonly uid: bigint;
  /** The key of the request; undefined: the account's oldest enabled root key signs. */
  readonly accessKey: string | undefined;
  readonly url: string;
  /** The id of its configuration; undefined if the URL was given with the call. */
  readonly endpoint: string | undefined;
  readonly contentType: string;
  /** The exact bytes of every try. */
  readonly body: Buffer;
  /** The entity whose events arrive in order: a stream, a channel of a device. Undefined: it stands alone. */
  readonly entity: string | undefined;
  /** What it is about, for the record. */
  readonly subject: string;
  readonly reqid: string;
}
