/** One storage daemon is killed during uploads and downloads and comes back later. No request may fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { engineCommand } from '@millpond/engines';
import type { Random } from '@millpond/testing';
import { checkObjects } from '../checks/objects.ts';
import type { Client } from '../load/client.ts';
import { codeOf } from '../load/client.ts';
import { type Contents, createContents, KIB, MIB } from '../load/contents.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged, createLedger, type Ledger, uploadOnce } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { LONG_PERIODS, type RunContext, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const WORKERS = 4;
const SIZES = [4 * KIB, 4 * KIB, 4 * KIB, 300 * KIB, 300 * KIB, 9 * MIB];
const OSDS = ['0', '1', '2'];
const BEFORE_MS = 4000;
const AWAY_MS = 12_000;
const AFTER_MS = 3000;
/** Uploads of this class go to the erasure-coded pool. They can't be read before a restore. */
const ARCHIVE = 2;
const isFrozen = (key: string): boolean => key.startsWith('cold/');

interface Load {
  readonly client: Client;
  readonly url: string;
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly stopped: AbortSignal;
  /** The longest time that a request took. */
  longestMs: number;
  gets: number;
}

export function runOsd(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const { random, options, say } = context;
    const { client } = environment;
    const server = await KillableServer.start(environment.deployment, LONG_PERIODS);
    const contents = createContents(options.seed);
    const stop = new AbortController();
    const load: Load = {
      client,
      url: server.url,
      ledger: createLedger(),
      findings: new Findings(),
      stopped: stop.signal,
      longestMs: 0,
      gets: 0,
    };
    const workers = Array.from({ length: WORKERS }, (_, number) => [
      keepPutting(load, random.fork(`put ${number}`), `${number}`, contents),
      keepGetting(load, random.fork(`get ${number}`)),
    ]).flat();
    const killed = random.fork('nemesis').pick(OSDS);
    await breakOsd(context, killed).finally(() => stop.abort());
    await Promise.all(workers);
    const { ledger, findings, longestMs, gets } = load;
    say(`${ledger.writes.length} uploads and ${gets} downloads ended`);
    const keys = ledger.writes.map((write) => write.key);
    const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
    checkObjects(ledger.writes, await readBack(environment, server.url, keys, findings, isFrozen), findings);
    return [
      findings,
      {
        acknowledged: countAcknowledged(ledger.writes),
        failed: findings.count('failed'),
        killed: `osd.${killed}`,
        gets,
        longestMs,
        answers: Object.fromEntries(ledger.answers),
        ...cleared,
      },
    ];
  });
}

/** The daemon is restarted whatever happens: others may use the same engines. */
async function breakOsd({ options, say, signal }: RunContext, number: string): Promise<void> {
  await sleep(BEFORE_MS, undefined, { signal });
  try {
    await engineCommand('osd', 'kill', number);
    say(`osd.${number} killed`);
    await sleep(options.minutes === undefined ? AWAY_MS : options.minutes * 60_000, undefined, { signal });
  } finally {
    await engineCommand('osd', 'start', number);
    say(`osd.${number} started`);
    await engineCommand('wait');
    say('healthy again');
  }
  await sleep(AFTER_MS, undefined, { signal });
}

async function keepPutting(load: Load, random: Random, worker: string, contents: Contents): Promise<void> {
  for (let made = 0; !load.stopped.aborted; made++) {
    const isCold = random.next() < 0.2;
    const begunAt = Date.now();
    const { answer } = await uploadOnce(load.client, load.ledger, {
      url: load.url,
      key: `${isCold ? 'cold' : 'warm'}/${worker}-${made}`,
      mode: 'insert',
      content: contents.make(random.pick(SIZES)),
      ...(isCold ? { fileType: ARCHIVE } : {}),
    });
    load.longestMs = Math.max(load.longestMs, Date.now() - begunAt);
    if (answer !== '200') load.findings.add('failed', `upload: ${answer}`);
  }
}

async function keepGetting(load: Load, random: Random): Promise<void> {
  while (!load.stopped.aborted) {
    const { writes } = load.ledger;
    const write = writes.length === 0 ? undefined : random.pick(writes);
    if (write === undefined || write.outcome !== 'acknowledged' || isFrozen(write.key)) {
      await sleep(5);
      continue;
    }
    const begunAt = Date.now();
    try {
      const { bytesHash } = await load.client.get(load.url, write.key);
      load.gets++;
      if (bytesHash !== write.hash) load.findings.add('torn', `${write.key}: got ${bytesHash}`);
    } catch (error) {
      load.findings.add('failed', `download: ${codeOf(error)}`);
    }
    load.longestMs = Math.max(load.longestMs, Date.now() - begunAt);
  }
}
