/** Kills the server during 32 concurrent uploads, to new and to existing keys, from empty to several parts. */
import type { Random } from '@millpond/testing';
import type { Write } from '../checks/history.ts';
import { checkObjects } from '../checks/objects.ts';
import {
  type Content,
  type Contents,
  createContents,
  KIB,
  MIB,
  pickSize,
  type Sizes,
} from '../load/contents.ts';
import { killServers } from '../load/kills.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged, createLedger, keepUploading, type UploadPlan } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { type RunContext, type RunEnvironment, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const CLIENTS = 32;
const OVERWRITTEN_KEYS = 24;
/** Above 8 MiB the server writes to the engine in parts. */
const SIZES: Sizes = [
  [12, 0],
  [50, 4 * KIB],
  [30, 300 * KIB],
  [5, 9 * MIB],
  [3, 20 * MIB],
];

export function runUploads(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const { random, options } = context;
    const server = await KillableServer.start(environment.deployment, {});
    const contents = createContents(options.seed);
    const ledger = createLedger();
    const stop = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, number) =>
      keepUploading(
        environment.client,
        ledger,
        stop.signal,
        planner(random.fork(`client ${number}`), `${number}`, contents, server.url),
      ),
    );
    const killed = await killServers(context, [server]).finally(() => stop.abort());
    await Promise.all(clients);
    context.say(`${ledger.writes.length} uploads ended`);
    return finish(context, environment, server.url, ledger.writes, {
      ...killed,
      answers: Object.fromEntries(ledger.answers),
    });
  });
}

async function finish(
  context: RunContext,
  environment: RunEnvironment,
  url: string,
  writes: readonly Write[],
  details: object,
): Promise<[Findings, object]> {
  const findings = new Findings();
  const keys = writes.map((write) => write.key);
  const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
  // Last, to reveal what collector and sweep took by mistake.
  const found = await readBack(environment, url, keys, findings);
  checkObjects(writes, found, findings);
  return [findings, { acknowledged: countAcknowledged(writes), ...details, objects: found.size, ...cleared }];
}

/** Three kinds of uploads: a new key, an overwrite, and the retry of one that broke, as clients do. */
function planner(
  random: Random,
  client: string,
  contents: Contents,
  url: string,
): (last: Write | undefined) => UploadPlan {
  let made = 0;
  let current: { key: string; mode: 'insert' | 'overwrite'; content: Content } | undefined;
  return (last) => {
    const broke = current !== undefined && last?.outcome === 'unknown' && last.key === current.key;
    if (current === undefined || !broke || current.mode === 'overwrite' || random.next() < 0.5) {
      const content = contents.make(pickSize(SIZES, random));
      current =
        random.next() < 0.5
          ? { key: `new/${client}-${made++}`, mode: 'insert', content }
          : { key: `over/${random.integer(1, OVERWRITTEN_KEYS)}`, mode: 'overwrite', content };
    }
    return { ...current, url };
  };
}
