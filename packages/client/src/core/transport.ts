/** How requests leave: one function, so that Node, browsers and tests can each bring their own. */

/** Pieces are sent one after the other, without being copied together. */
export type RequestBody = string | readonly Uint8Array<ArrayBuffer>[];

export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** The body is not what was sent: as browsers do, somebody has undone its Content-Encoding. */
  readonly isDecoded?: boolean;
  header(name: string): string | undefined;
  text(): Promise<string>;
  /** The body as it arrives; ends with an error where the connection broke. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Lets go of a body that nobody wants. */
  discard(): void;
}

/** Rejects with a `MillpondError` where no answer came. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;
