/** What the app of a listener is made of. */
import type { TraceRecorder } from '@millpond/base';
import type { Config } from '../config/config.ts';
import type { BodyLimits, BodyPaceMonitor, ProxyTrust, RequestTimes, Route } from '../platform/web/index.ts';
import type { Certificate } from './certificate.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { HostDirectory } from './hosts.ts';
import type { RequestLog } from './request-log.ts';
import type { SmallPieces } from './small-pieces.ts';
import type { Traffic } from './traffic.ts';

export interface AppDeps {
  readonly config: Pick<
    Config,
    'hosts' | 'bodyTimeout' | 'idleTimeout' | 'maxConnections' | 'requestTimeout'
  >;
  /** TLS certificate; undefined if no listener uses HTTPS. */
  readonly certificate: Certificate | undefined;
  readonly hosts: HostDirectory;
  readonly trust: ProxyTrust;
  readonly bodies: BodyLimits;
  readonly arriving: BodyPaceMonitor;
  readonly connections: ConnectionLimit;
  readonly pieces: SmallPieces;
  readonly routes: readonly Route[];
  readonly requestLog: RequestLog;
  readonly requestTimes: RequestTimes;
  readonly traffic: Traffic;
  readonly traces: TraceRecorder;
  readonly nextRequestId: () => string;
  /** Set when the server is about to stop: connections then close after their current answer. */
  readonly state: { readonly draining: boolean };
}
