/** The engines that this server supports: what their hooks mean, and how to query them. */
import type { HookAdapter } from './engine-report.ts';
import { type EngineClient, nginxClient } from './nginx-client.ts';
import { nginxRtmp } from './nginx-rtmp.ts';

export type EngineKind = 'nginx-rtmp';

export interface Engine {
  /** As used in settings, rows and the URLs of its hooks. */
  readonly id: string;
  readonly adapter: HookAdapter;
  readonly client: EngineClient;
}

export const OUTDATED_ENGINE =
  'the engine has an old configuration, which lets anybody who reaches it put video of their own into any stream: use deploy/nginx-rtmp/nginx.conf of this version, and restart the engine';

const adapters: Readonly<Record<EngineKind, HookAdapter>> = { 'nginx-rtmp': nginxRtmp };

export function openEngine(id: string, kind: EngineKind, url: string, secret: string | undefined): Engine {
  return { id, adapter: adapters[kind], client: nginxClient(url, secret) };
}
