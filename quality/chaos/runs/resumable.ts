/** Kills the server during uploads in parts and in blocks, which resume where they were; some are ended or abandoned. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import type { Write } from '../checks/history.ts';
import { checkObjects } from '../checks/objects.ts';
import { type Contents, createContents, MIB } from '../load/contents.ts';
import { killServers } from '../load/kills.ts';
import { ResumableClient } from '../load/resumable.ts';
import { type Resuming, type Tally, uploadInBlocks, uploadInParts } from '../load/resuming.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { type RunContext, type RunEnvironment, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack, untilMerged } from '../verify.ts';

const CLIENTS = 6;
const MIN_OBJECT_BYTES = 5 * MIB;
const MAX_OBJECT_BYTES = 14 * MIB;

export function runResumable(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const { random, options, say } = context;
    const server = await KillableServer.start(environment.deployment, {});
    const client = new ResumableClient(server.url, environment.account, environment.bucket);
    const findings = new Findings();
    const tally: Tally = { answered: 0, resumed: 0 };
    const writes: Write[] = [];
    const stop = new AbortController();
    try {
      const contents = createContents(options.seed);
      const clients = Array.from({ length: CLIENTS }, (_, number) =>
        keepUploading({ client, findings, tally }, environment, server.url, stop.signal, writes, {
          random: random.fork(`client ${number}`),
          name: String(number),
          contents,
        }),
      );
      const killed = await killServers(context, [server]).finally(() => stop.abort());
      await Promise.all(clients);
      say(`${writes.length} uploads completed, resumed ${tally.resumed} times; waiting for the merges`);
      await untilMerged(environment, findings);
      const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
      const keys = writes.map((write) => write.key);
      const found = await readBack(environment, server.url, keys, findings);
      checkObjects(writes, found, findings);
      const acknowledged = countAcknowledged(writes);
      return [findings, { acknowledged, ...killed, ...tally, objects: found.size, ...cleared }];
    } finally {
      await client.close();
    }
  });
}

/** Continues until it is stopped, and then finishes what it has begun. */
async function keepUploading(
  resuming: Resuming,
  { client }: RunEnvironment,
  url: string,
  stopped: AbortSignal,
  writes: Write[],
  { random, name, contents }: { random: Random; name: string; contents: Contents },
): Promise<void> {
  for (let made = 0; !stopped.aborted; made++) {
    const content = contents.make(random.integer(MIN_OBJECT_BYTES, MAX_OBJECT_BYTES));
    const [key, dice] = [`${name}-${made}`, random.next()];
    const begunAt = Date.now();
    if (dice < 0.2) {
      await uploadInParts(resuming, key, content, dice < 0.1 ? 'abort' : 'leave');
      continue;
    }
    const answered =
      dice < 0.6
        ? await uploadInParts(resuming, key, content, 'complete')
        : await uploadInBlocks(resuming, key, content);
    // If the answer was lost, the object tells the outcome: nobody else writes to this key.
    const hash = answered ?? (await hashOf(client, url, key));
    if (hash !== content.hash)
      resuming.findings.add('lost', `${key}: ${content.hash} was completed as ${hash}`);
    writes.push({
      key,
      hash: content.hash,
      size: content.size,
      mode: 'overwrite',
      begunAt,
      endedAt: Date.now(),
      outcome: 'acknowledged',
    });
  }
}

async function hashOf(
  client: RunEnvironment['client'],
  url: string,
  key: string,
): Promise<string | undefined> {
  for (;;) {
    try {
      return (await client.stat(url, key))?.hash;
    } catch {
      // The server is down; it comes back.
      await sleep(40);
    }
  }
}
