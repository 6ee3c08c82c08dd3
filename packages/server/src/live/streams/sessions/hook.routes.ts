/**
 * Hooks of the engines. They use a URL that only engines know, and a secret that only they have. A hook's body holds the
 * publisher's key, so none of it is logged.
 */
import type { Log } from '@millpond/base';
import { equalBytes, Fault } from '@millpond/protocol';
import {
  emptyResponse,
  type HttpResponse,
  queryFields,
  type RequestContext,
  type Route,
} from '../../../platform/web/index.ts';
import type { EngineReport } from '../engines/engine-report.ts';
import type { Engine } from '../engines/index.ts';
import { SECRET_HEADER } from '../engines/nginx-client.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { Sessions } from './stream-sessions.ts';

export interface HookDeps {
  readonly engines: ReadonlyMap<string, Engine>;
  readonly secret: string | undefined;
  readonly sessions: Sessions;
  readonly recordings: Recordings;
  readonly log: Log;
}

/** Which process of the engine sent it. */
const BOOT_HEADER = 'x-live-boot';

export function hookRoutes(deps: HookDeps): Route[] {
  const handle = async (context: RequestContext): Promise<HttpResponse> => {
    const query = queryFields(context);
    const engine = deps.engines.get(context.segment('engine'));
    if (
      engine === undefined ||
      !isRight(deps.secret, context.header(SECRET_HEADER) ?? query.get('secret') ?? '')
    )
      throw new Fault('badToken');
    const boot = context.header(BOOT_HEADER) ?? '';
    await context.readBody();
    const report = engine.adapter.parse({ boot, body: context.body });
    const isAccepted = report === undefined || (await decidePublish(deps, engine, report));
    return { ...emptyResponse(), status: engine.adapter.toStatus(isAccepted) };
  };
  return [{ role: 'live', methods: ['POST'], path: '/v1/hooks/:engine', handle }];
}

async function decidePublish(
  { sessions, recordings, log }: HookDeps,
  engine: Engine,
  report: EngineReport,
): Promise<boolean> {
  switch (report.kind) {
    case 'publish': {
      const isAccepted = await sessions.publish(engine, report);
      if (!isAccepted)
        log.info({ engine: engine.id, client: report.client, address: report.address }, 'publisher refused');
      return isAccepted;
    }
    case 'refused':
      return false;
    case 'alive':
      return sessions.onAlive(engine.id, report);
    case 'gone':
      await sessions.gone(engine.id, report);
      return true;
    case 'recorded':
      await recordings.recorded(engine.id, report.file);
      return true;
  }
}

function isRight(secret: string | undefined, shown: string): boolean {
  return secret !== undefined && equalBytes(Buffer.from(shown), Buffer.from(secret));
}
