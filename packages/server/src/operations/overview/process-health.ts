/** How gateways, workers, senders and the port of devices are, by what their processes said last. */
import type { WireRecord } from '@millpond/protocol';
import { SIP_PORT_HINT } from '../../platform/hints.ts';
import type { ProcessRow } from '../figures/index.ts';

type HealthItem = WireRecord<'HealthItem'>;

/** A process writes once a minute, and may be late. */
const SILENT_SECONDS = 150;
const ENGINES = [
  { role: 'serve', engine: 'gateway' },
  { role: 'work', engine: 'worker' },
  { role: 'deliveries', engine: 'sender' },
] as const;
const MISSING = {
  gateway: { words: 'no process answers requests', do: 'start one: millpond serve' },
  worker: { words: 'no process runs background jobs', do: 'start one: millpond work' },
  sender: {
    words: 'no process sends events',
    do: 'start one: millpond work, or millpond work --only deliveries',
  },
} as const;

/** `sipPlace`: where devices register; undefined: nowhere. */
export function processHealth(processes: readonly ProcessRow[], sipPlace: string | undefined): HealthItem[] {
  const items = ENGINES.flatMap(({ role, engine }): HealthItem[] => {
    const found = processes.filter(({ roles }) => roles.includes(role));
    const missing: HealthItem[] = found.some(isAlive)
      ? []
      : [{ engine, name: 'region', state: 'bad', ...MISSING[engine] }];
    return [...missing, ...found.map((process) => healthOf(engine, process))];
  });
  return [...items, sipHealth(processes, sipPlace)];
}

function isAlive({ silent_seconds }: ProcessRow): boolean {
  return silent_seconds < SILENT_SECONDS;
}

function healthOf(engine: HealthItem['engine'], process: ProcessRow): HealthItem {
  const { host, pid, facts, started_at, seen_at } = process;
  const name = `${host}:${pid}`;
  if (!isAlive(process))
    return {
      engine,
      name,
      state: 'bad',
      since: seen_at.toISOString(),
      words: 'has written nothing for some minutes: it was killed, or can’t reach the region’s database',
      do: 'look at its log, and start it again; what is gone for a day is no longer shown',
    };
  const since = started_at.toISOString();
  const [missing] = facts.sandbox ?? [];
  if (engine === 'sender') return { engine, name, state: 'ok', words: 'runs', since };
  if (facts.unconfined)
    return {
      engine,
      name,
      state: 'warn',
      since,
      words: 'opens users’ content without a sandbox, as only `millpond dev` may: use files that you trust',
      do: 'on Linux: apt-get install bubblewrap, and start it again',
    };
  if (missing === undefined) return { engine, name, state: 'ok', words: 'runs', since };
  return {
    engine,
    name,
    state: 'warn',
    since,
    words: `${missing.problem}: no processing, no images by URL, no variables of images and media`,
    do: missing.remedy,
  };
}

function sipHealth(processes: readonly ProcessRow[], place: string | undefined): HealthItem {
  if (place === undefined)
    return {
      engine: 'sip',
      name: 'devices',
      state: 'off',
      words: 'devices are off: MILLPOND_SIP_LISTEN is not set',
    };
  const owner = processes.find((process) => isAlive(process) && process.facts.sip === true);
  if (owner === undefined)
    return { engine: 'sip', name: place, state: 'bad', words: 'nothing listens', do: SIP_PORT_HINT };
  return { engine: 'sip', name: place, state: 'ok', words: `listens at ${owner.host}:${owner.pid}` };
}
