/** What the load process is told to do and what it returns: plain data, sent between processes. */

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Engine extends Address {
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** What stands before the bucket in its paths; default: nothing. */
  readonly root?: string;
}

/** Complete requests, sent in turn. */
export interface RequestWork {
  readonly kind: 'requests';
  readonly to: Address;
  readonly requests: readonly string[];
  /** The body size that every answer must have; undefined: any. */
  readonly answerBytes?: number | undefined;
  /** Answers are redirects to this address; they are followed over a second kept-alive connection. */
  readonly follow?: Address | undefined;
}

/** A request whose answer is a stream of lines, each time read to its end. */
export interface StreamWork {
  readonly kind: 'stream';
  readonly to: Address;
  readonly request: string;
  /** Lines that every answer must have. */
  readonly lines: number;
}

/** Form uploads, each under a new key. */
export interface FormWork {
  readonly kind: 'form';
  readonly to: Address;
  readonly token: string;
  readonly keyPrefix: string;
  readonly bytes: number;
}

/** Parts of uploads that are begun before the clock starts, one for each lane, and never completed. */
export interface PartWork {
  readonly kind: 'parts';
  readonly to: Address;
  readonly token: string;
  /** For the uploads of one object: `/buckets/…/uploads`. */
  readonly path: string;
  readonly bytes: number;
}

/** Presigned PUTs to the engine, or to our own S3 listener in its place, each under a new key. */
export interface PresignedPutWork {
  readonly kind: 'presignedPut';
  readonly to: Engine;
  readonly keyPrefix: string;
  readonly bytes: number;
}

/** Images made of these objects in turn, no two alike. */
export interface ImageWork {
  readonly kind: 'images';
  readonly to: Address;
  readonly paths: readonly string[];
}

/** The same images by sharp alone, from a file in memory. */
export interface SharpWork {
  readonly kind: 'sharp';
  readonly file: Uint8Array;
}

/** A prepared statement, with these values in turn. */
export interface QueryWork {
  readonly kind: 'query';
  readonly url: string;
  readonly connections: number;
  readonly name: string;
  readonly text: string;
  readonly values: readonly (readonly (string | number)[])[];
  /** Rows that every answer must have. */
  readonly rows: number;
}

export type Work =
  | RequestWork
  | StreamWork
  | FormWork
  | PartWork
  | PresignedPutWork
  | ImageWork
  | SharpWork
  | QueryWork;

export interface Order {
  readonly work: Work;
  readonly concurrency: number;
  readonly seconds: number;
}

export interface Outcome {
  readonly opsPerSecond: number;
  /** Milliseconds of each request. */
  readonly latencies: readonly number[];
  /** Microseconds of CPU that the load process itself used per request. */
  readonly clientCpu: number;
}

export type Reply = { readonly outcome: Outcome } | { readonly failure: string };

export interface Lanes {
  open(): Promise<Lane>;
  close(): Promise<void>;
}

export interface Lane {
  once(): Promise<void>;
  close(): void;
}
