/** How requests are sent: one function, so that Node, browsers and tests can each bring their own. */

/** Pieces are sent one after the other, without being copied into one buffer. */
export type RequestBody = string | readonly Uint8Array<ArrayBuffer>[];

export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** The body differs from what was sent: its Content-Encoding was undone, as browsers do. */
  readonly isDecoded?: boolean;
  header(name: string): string | undefined;
  text(): Promise<string>;
  /** The body as it arrives; ends with an error if the connection broke. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Drops a body that nobody wants. */
  discard(): void;
}

/** Rejects with a `MillpondError` if no answer came. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
