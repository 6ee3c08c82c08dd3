/** How features declare their routes: a role, methods, a path and a handler. The assembly in `http/` mounts them. */
import type { IncomingMessage } from 'node:http';
import type { HttpResponse, RequestContext } from './call.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export interface Route {
  /** The role (host) that answers this route. */
  readonly role: string;
  /** Other roles whose hosts answer it too: some SDKs ask there. */
  readonly alsoAt?: readonly string[];
  readonly methods: readonly Method[];
  /** As find-my-way has it: `/stat/*`. Parameters are taken from the raw target, never from the router's decoding. */
  readonly path: string;
  /**
   * `stream`: the handler reads the body itself from `call.request`. Default: `call.readBody`, at most 4 MiB, or
   * `call.readOpenBody`, 64 KiB.
   */
  readonly body?: 'stream';
  /**
   * The beginning of the console's path that the handler does not see: `/call/rs`. The call to it is the one that follows, and
   * so is the path of its own route.
   */
  readonly within?: string;
  /** Account-style errors (`error_code`) for faults that arise before the handler. */
  readonly errors?: 'account';
  /** Its own form of errors. Without it they are JSON. */
  readonly refusal?: (error: unknown, request: IncomingMessage, reqid: string) => HttpResponse;
  /** Pages of any origin may make this call. */
  readonly cors?: true;
  handle(context: RequestContext): Promise<HttpResponse | undefined> | HttpResponse | undefined;
}

/** Downloads by host are routed under prefixes that no bucket name can have. */
export const BY_BUCKET_HOST = '/~bucket/';
export const DOMAIN_PREFIX = '/~domain/';
/** Internal prefix of the S3 listener; plus the bucket if virtual-hosted. */
export const S3_PREFIX = '/~s3/';
/** Everything that comes to the console; followed by its path. */
export const CONSOLE_PREFIX = '/~console';
