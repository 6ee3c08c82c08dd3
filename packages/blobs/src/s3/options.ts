/** Settings of the S3 store. Times are milliseconds. */
import type { WriteBudget } from '../budget.ts';

export interface S3BlobOptions {
  /** Scheme, host and port of the engine; a path is not allowed. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The engine bucket that holds all blobs. */
  readonly bucket: string;
  /** Where writers get their memory; one budget for the whole process. */
  readonly budget: WriteBudget;
  /** The engine's storage class for the tier COLD, named COLD by default; STANDARD if the engine has only one class. */
  readonly coldClass?: string | undefined;
  /** PEM of the authority that signed the engine's certificate, if it is not a public one. */
  readonly certificateAuthority?: string | undefined;
  /**
   * For which bodies Content-MD5 is sent, so that the engine refuses bytes that changed on the way: all, those up
   * to 64 KiB, or none. It costs about 1.9 ms of CPU per MiB.
   */
  readonly verifyWrites?: 'always' | 'small' | 'never' | undefined;
  readonly limits?: Partial<S3Limits> | undefined;
}

export interface S3Limits {
  /** Connections for reading bodies; a slow reader holds one. */
  readonly readConnections: number;
  /** Connections for everything else. */
  readonly writeConnections: number;
  /** How long a request may wait for a free connection. */
  readonly queueTimeout: number;
  readonly connectTimeout: number;
  /** From the start of a request to the headers of its answer, sending the body included. */
  readonly headersTimeout: number;
  /** The longest pause of the engine inside an answer. */
  readonly bodyTimeout: number;
  /** A keep-alive connection unused for this long is closed; engines close theirs too, and being first is safer. */
  readonly idleTimeout: number;
  /** After this long without 'drain' a read gives its connection back and continues later from where it was. */
  readonly parkAfter: number;
  /** The same while others wait for a connection: a client that asks for much and reads nothing must not hold them all. */
  readonly parkInCrowdAfter: number;
  /** Tries of one call, including the first. */
  readonly tries: number;
  /** No try starts later than this after the first. */
  readonly retryFor: number;
  /** Pause before the second try; tripled for each further one. */
  readonly retryDelay: number;
}

export const defaultLimits: S3Limits = {
  readConnections: 128,
  writeConnections: 64,
  queueTimeout: 15_000,
  connectTimeout: 3_000,
  headersTimeout: 20_000,
  bodyTimeout: 15_000,
  idleTimeout: 4_000,
  parkAfter: 10_000,
  parkInCrowdAfter: 500,
  tries: 4,
  retryFor: 45_000,
  retryDelay: 100,
};
