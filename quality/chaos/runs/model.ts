/** Random sequences of commands by both protocols, with kills in between, against a model of the server. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Gateways } from '../model/gateways.ts';
import { runLanes } from '../model/lanes.ts';
import { startReceiver } from '../model/receiver.ts';
import { Stage } from '../model/stage.ts';
import { Wire } from '../model/wire.ts';
import { Findings } from '../report.ts';
import { type RunContext, withRunEnvironment } from '../run-environment.ts';

const DEFAULT_SEQUENCES = 100;
const SETTINGS = {
  MILLPOND_MAX_BUCKETS: '100000',
  // As long as a sequence lasts: what is deleted can be brought back in it, and is collected under the next ones.
  MILLPOND_TRASH_GRACE: '30s',
  MILLPOND_COMMIT_WINDOW: '2m',
  MILLPOND_SWEEP_AGE: '4m',
  // A restore of class 2 takes a moment, one of class 3 five seconds, and the days that it lasts minutes.
  MILLPOND_TIME_FACTOR: '3600',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_TASK_QUERIES_PER_ADDRESS: '1000000+1000000/m',
};

export function runModel(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async ({ deployment, account }) => {
    const { options, say } = context;
    const receiver = await startReceiver();
    const folder = path.join(tmpdir(), `millpond-chaos-${process.pid}`);
    const gateways = await Gateways.start(deployment, SETTINGS, folder);
    const wire = new Wire(gateways, account);
    try {
      const findings = new Findings();
      const wireOf = async () => wire.by(await deployment.createAccount());
      const stage = new Stage(wireOf, gateways, receiver);
      const started = Date.now();
      await runLanes(context, stage, options.count ?? DEFAULT_SEQUENCES, findings);
      const { sequences, acknowledged, commands } = stage;
      say(`${Math.round((sequences * 10_000) / (Date.now() - started)) / 10} sequences/s`);
      const byKind = Object.fromEntries([...commands].toSorted(([one], [other]) => (one < other ? -1 : 1)));
      const total = [...commands.values()].reduce((sum, each) => sum + each, 0);
      return [findings, { acknowledged, sequences, commands: total, byKind, kills: gateways.kills }];
    } finally {
      await wire.close();
      await gateways.close();
      await receiver.close();
      // Sandboxed processes write there a moment longer than their worker.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}
