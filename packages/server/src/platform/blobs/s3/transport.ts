/** What a read and the connection that brings its bytes say to each other. */
import type { SignedRequest } from './client.ts';

export interface AnswerHead {
  readonly status: number;
  readonly length: number | undefined;
  readonly contentRange: string | undefined;
}

/** Hears the head, then the body, then the end; or at any point an error and then nothing more. Never throws. */
export interface Receiver {
  onHead(head: AnswerHead): void;
  /** Takes the next bytes; false: no more before `resume`. */
  onBody(chunk: Uint8Array): boolean;
  onEnd(): void;
  onError(error: Error): void;
  /**
   * Whether bytes of the chunks that it took are still held somewhere; undefined if it cannot tell. The memory of a
   * chunk may be used again only after false was read here.
   */
  readonly holding: boolean | undefined;
}

export interface Transfer {
  resume(): void;
  /** Ends the traffic. Harmless when all is over. */
  abort(): void;
}

export interface ReadTransport {
  get(request: SignedRequest, receiver: Receiver): Transfer;
  /** Lets what is under way finish. */
  close(): Promise<void>;
}
