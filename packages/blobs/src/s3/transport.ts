/** The contract between a request to the engine and the connection that carries it. */

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

export interface EngineRequest {
  readonly method: Method;
  readonly path: string;
  /** Name, value, name, value…; if there may be a body, its length is included. */
  readonly headers: string[];
  /** Must not change before the request is over: the end, an error or an abort. */
  readonly body?: readonly Uint8Array[] | undefined;
}

export interface EngineResponseHead {
  readonly status: number;
  readonly length: number | undefined;
  readonly contentRange: string | undefined;
  readonly etag: string | undefined;
  readonly storageClass: string | undefined;
}

/** Receives the head, then the body, then the end; or at any point an error and then nothing more. Never throws. */
export interface ResponseHandler {
  onHead(head: EngineResponseHead): void;
  /** Takes the next bytes; false: no more before `resume`. */
  onBody(chunk: Uint8Array): boolean;
  onEnd(): void;
  onError(error: Error): void;
  /**
   * Whether bytes of the chunks it took are still held somewhere; undefined if it cannot tell. The memory of a chunk may be
   * reused only after false was read here.
   */
  readonly holding: boolean | undefined;
}

export interface Transfer {
  resume(): void;
  /** Ends the traffic. Harmless when all is over. */
  abort(): void;
}

export interface Transport {
  send(request: EngineRequest, handler: ResponseHandler): Transfer;
  /** Whether requests are waiting for a connection. */
  isCrowded(): boolean;
  /** Lets what is under way finish. */
  close(): Promise<void>;
}
