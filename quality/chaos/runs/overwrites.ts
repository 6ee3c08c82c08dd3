/** Kills one of two servers in turn, under 8 clients that overwrite 4 keys and 4 that read them at both. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import type { Read } from '../checks/history.ts';
import { checkObjects } from '../checks/objects.ts';
import { checkVersions } from '../checks/versions.ts';
import { allVersions } from '../engine/rows.ts';
import type { Client } from '../load/client.ts';
import { createContents, KIB, MIB } from '../load/contents.ts';
import { killServers } from '../load/kills.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged, createLedger, keepUploading } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { LONG_PERIODS, type RunContext, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const WRITERS = 8;
const READERS = 4;
const KEYS = ['a', 'b', 'c', 'd'];
const SIZES = [64, 4 * KIB, 4 * KIB, 300 * KIB, 300 * KIB, 9 * MIB];
/** Readers leave most of the machine to the writers. */
const READ_PAUSE_MS = 20;

export function runOverwrites(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const { random, options, say } = context;
    const { client, deployment, regionUrl } = environment;
    // The trash keeps every version until the run is over: it is the record of what really happened.
    const servers = [
      await KillableServer.start(deployment, LONG_PERIODS),
      await KillableServer.start(deployment, LONG_PERIODS),
    ];
    const urls = servers.map((server) => server.url);
    const contents = createContents(options.seed);
    const ledger = createLedger();
    const reads: Read[] = [];
    const torn = new Findings();
    const stop = new AbortController();
    const writers = Array.from({ length: WRITERS }, (_, number) => {
      const own = random.fork(`writer ${number}`);
      return keepUploading(client, ledger, stop.signal, () => ({
        url: own.pick(urls),
        key: own.pick(KEYS),
        mode: 'overwrite',
        content: contents.make(own.pick(SIZES)),
      }));
    });
    const readers = Array.from({ length: READERS }, (_, reader) =>
      keepReading(
        client,
        { reader, urls, random: random.fork(`reader ${reader}`) },
        reads,
        torn,
        stop.signal,
      ),
    );
    const killed = await killServers(context, servers).finally(() => stop.abort());
    const bodies = (await Promise.all([...readers, ...writers.map((writer) => writer.then(() => 0))])).reduce(
      (sum, count) => sum + count,
      0,
    );
    say(`${ledger.writes.length} writes and ${reads.length} reads ended; checking`);

    const findings = torn;
    const versions = await allVersions(regionUrl);
    checkVersions({ writes: ledger.writes, reads, versions }, findings);
    const [url = ''] = urls;
    const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
    checkObjects(ledger.writes, await readBack(environment, url, KEYS, findings), findings);
    return [
      findings,
      {
        acknowledged: countAcknowledged(ledger.writes),
        ...killed,
        versions: versions.length,
        reads: reads.length,
        bodiesRead: bodies,
        answers: Object.fromEntries(ledger.answers),
        ...cleared,
      },
    ];
  });
}

/** Reads records, and every other time the bytes as well; returns the number of bodies read. */
async function keepReading(
  client: Client,
  { reader, urls, random }: { reader: number; urls: readonly string[]; random: Random },
  reads: Read[],
  findings: Findings,
  stopped: AbortSignal,
): Promise<number> {
  let bodies = 0;
  while (!stopped.aborted) {
    const [url, key] = [random.pick(urls), random.pick(KEYS)];
    const begunAt = Date.now();
    try {
      const record = await client.stat(url, key);
      if (record !== undefined) reads.push({ reader, key, ...record, begunAt, endedAt: Date.now() });
      if (record !== undefined && random.next() < 0.5) {
        const { bytesHash, etag } = await client.get(url, key);
        bodies++;
        if (bytesHash !== etag) findings.add('torn', `${key}: the bytes of ${etag} arrived as ${bytesHash}`);
      }
    } catch {
      // A server was killed during the request: the next one goes wherever the dice say.
    }
    await sleep(READ_PAUSE_MS);
  }
  return bodies;
}
