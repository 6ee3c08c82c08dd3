/** Keeps the lanes busy for a time and counts. */
import { lanesOf } from './lanes.ts';
import type { Order, Outcome } from './work.ts';

export async function runOrder({ work, concurrency, seconds }: Order): Promise<Outcome> {
  const lanes = lanesOf(work, seconds);
  const open = await Promise.all(Array.from({ length: concurrency }, () => lanes.open()));
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;
  try {
    const rates = await Promise.all(
      open.map(async (lane) => {
        let count = 0;
        let began = start;
        while (began < end) {
          await lane.once();
          const now = performance.now();
          latencies.push(now - began);
          began = now;
          count++;
        }
        // By each lane's own last answer: otherwise long requests would be cut off, or lanes would wait idly for them.
        return count / (began - start);
      }),
    );
    const cpu = process.cpuUsage(cpuBefore);
    return {
      opsPerSecond: rates.reduce((sum, rate) => sum + rate, 0) * 1000,
      latencies,
      clientCpu: (cpu.user + cpu.system) / latencies.length,
    };
  } finally {
    for (const lane of open) lane.close();
    await lanes.close();
  }
}
