/** What a deliveries bench runs against: its own databases, an account, and one sender. */
import { readFile } from 'node:fs/promises';
import { createDeployment } from '@millpond/testing';
import { countRows } from './fill.ts';
import { createProducer, type Producer } from './producer.ts';
import { RECEIVER_ADDRESS } from './receiver.ts';

export interface DeliveryStage {
  readonly regionDb: string;
  readonly uid: number;
  readonly producer: Producer;
  /** Peak resident memory of the sender so far, in MiB. */
  peakMemory(): Promise<number>;
  /** CPU seconds of the sender so far. */
  cpu(): Promise<number>;
  /** A figure of the sender's own metrics. */
  metric(name: string): Promise<number>;
  /** Endpoints that the sender has given up on for now. */
  away(): Promise<number>;
  close(): Promise<void>;
}

const TICKS_PER_SECOND = 100;

export async function openDeliveryStage(quiet: boolean): Promise<DeliveryStage> {
  const deployment = await createDeployment({
    store: 'disk',
    settings: { MILLPOND_OUTBOUND_ALLOW: `${RECEIVER_ADDRESS}/32` },
    log: quiet ? 'ignore' : 'inherit',
  });
  try {
    const { uid } = await deployment.createAccount();
    const sender = await deployment.start({ args: ['work', '--only', 'deliveries'] });
    const regionDb = deployment.environment.MILLPOND_REGION_DB ?? '';
    const producer = createProducer(regionDb, uid);
    return {
      regionDb,
      uid,
      producer,
      async peakMemory() {
        const status = await readFile(`/proc/${sender.pid}/status`, 'latin1');
        return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
      },
      async cpu() {
        const text = await readFile(`/proc/${sender.pid}/stat`, 'latin1');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      },
      async metric(name) {
        const text = await (await fetch(`${sender.adminUrl}/metrics`)).text();
        return Number(new RegExp(`^millpond_deliveries_${name} (\\S+)$`, 'm').exec(text)?.[1]);
      },
      away: () =>
        countRows(regionDb, `SELECT count(*) FROM region.delivery_endpoints WHERE state <> 'closed'`),
      async close() {
        try {
          await producer.close();
        } finally {
          await deployment.destroy();
        }
      },
    };
  } catch (error) {
    await deployment.destroy();
    throw error;
  }
}
