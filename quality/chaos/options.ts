/** The command line of a fault run. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FaultName, faults } from './cluster/faults.ts';

const RUN_NAMES = [
  'uploads',
  'resumable',
  'overwrites',
  'osd',
  'races',
  'restarts',
  'storm',
  'soak',
  'memory',
  'class-moves',
  'deliveries',
  'object-events',
  'live',
  'devices',
  'sip-fuzz',
  'tasks',
  'failover',
  'cells',
  'upgrade',
  'model',
] as const;
export type RunName = (typeof RUN_NAMES)[number];

export interface Options {
  readonly name: RunName;
  readonly seed: string;
  readonly store: 's3' | 'disk';
  readonly kills: number;
  readonly rounds: number;
  readonly publishers: number;
  /** How many of the things a run counts: cameras, messages. */
  readonly count: number | undefined;
  /** If given, the run lasts this long instead of counting kills or rounds. */
  readonly minutes: number | undefined;
  /** For failover: what happens, how the gateways find the primary, and the command that starts Patroni. */
  readonly fault: FaultName;
  readonly via: 'hosts' | 'haproxy';
  readonly patroni: string;
  /** For upgrade: the version before, a commit or the folder of a checkout. */
  readonly from: string | undefined;
  readonly json: boolean;
  readonly log: boolean;
}

export class UsageError extends Error {}

export const usage = `npm run chaos -- <run> [options]

Starts a Millpond of its own on the engines (npm run engines -- up), puts load on it, breaks something, and then
compares what clients were told with what is stored. Ends with one JSON line, and with exit code 1 if a count of
faults in it is not 0.

  uploads      kill -9 of the server under 32 concurrent uploads
  resumable    kill -9 of the server under 6 clients that upload in parts and in blocks, and resume where they stopped
  overwrites   kill -9 of one of two servers, in turn, under 8 clients that overwrite 4 keys and 4 that read them
  osd          kill -9 of a storage daemon under uploads and downloads; no request may fail (--store s3 only)
  class-moves  kill -9 of the gateway, of the worker and of a PostgreSQL of its own, under 6 clients that change classes,
               restore, overwrite and read
  deliveries   kill -9 of two senders, of a gateway and of a PostgreSQL of its own, under events of 40 entities
  object-events  the same, under 8 clients that put, overwrite, move and delete objects of a bucket with an event rule
  live         kill -9 of the server, of the RTMP engine and of PostgreSQL, in turn, under publishers that flap
  devices      sipp registers 200 cameras per second; the customer's receiver is down for 30 s while half of them vanish
  sip-fuzz     malformed SIP messages over UDP and TCP next to a camera that must not notice; memory must stay flat
  tasks        kill -9 of a worker at each stage of a task in turn: claim, download, engine, parts, storing, settling
  failover     the loss of a machine of three with etcd, Patroni and PostgreSQL, under two gateways, two workers, and 12
               clients that upload, overwrite and read, with tasks, callbacks and events; as root, see --fault
  cells        two regions with a PostgreSQL, gateways and a worker each, and a control database: one region is killed whole,
               then the control database is away, and the load on what is left may not fail
  storm        everything that can break, one after the other, under clients that put, overwrite, change on a condition, copy,
               move, delete, read and list the same keys at two gateways: every history must be linearizable. Kills, hangs
               and clock jumps of gateways, worker and PostgreSQL, broken networks between them, and as root full volumes;
               with --store s3 also a storage daemon
  soak         hours at 60 % of the load that it can take, with such a fault now and then: memory, latency, tables and
               what is in the engine may not grow
  memory       an hour of everything at a steady rate, without a fault: the memory of all processes together at minute 15 beside
               that at the end; it may not grow by more than 5 %
  upgrade      from the version before to this one, gateway by gateway, under 15 clients that upload (also in parts), overwrite,
               copy, delete and read at both, with tasks, callbacks and events; what failed is sent once more, to another gateway
  model        random sequences of commands by both protocols beside a model of the server, in 12 lanes, with kill -9 of the
               server between and during commands; what fails is replayed alone and shrunk
  restarts     two gateways are restarted in turn under uploads and downloads, by http and https, on kept connections and
               on new ones; no request may fail
  races        16 clients create one key at the same time, with different and with the same content

  --kills N        kills, for uploads, resumable, overwrites, class-moves, deliveries,
                   object-events and tasks (20); for failover (1)
  --fault F        for failover. The primary: kill (PostgreSQL and Patroni), machine (and etcd), pause (it hangs, and goes
                   on later), partition (its cable is pulled), crash (PostgreSQL only), switchover (planned). The
                   synchronous standby: standby (kill), standby-pause; default: kill
  --via W          for failover: hosts (a list in the URL) or haproxy (hosts)
  --patroni C      for failover: the command that starts Patroni, such as "env PYTHONPATH=/srv/patroni4 python3 -m patroni"
  --from V         for upgrade: the version before, a commit, a checkout with its dependencies or a folder of packages; default: the
                   newest version with other migrations, or with the same, while none follows the baseline
  --rounds N       repetitions of each race, or restarts (50)
  --publishers N   for live, 4 of them ffmpeg (200)
  --count N        cameras, for devices (2000); messages, for sip-fuzz (300000); operations, for storm (20000); sequences, for
                   model (100)
  --minutes N      keep going this long, whatever --kills or --rounds say; for osd: how long it is down;
                   for cells: how long each is away (0.5); for upgrade: how long both versions serve (0.2); for soak (120)
                   and memory (60)
  --seed S         repeat the plan of an earlier run; default: a new seed, which is printed. For model also the name of one
                   sequence, as its report prints it
  --store s3|disk  where the bytes are kept (s3)
  --json           print only the JSON line
  --log            also print the servers' log, before that line

In the JSON line:
  acknowledged     writes that were answered 200, events whose cause was committed
  lost             those of them that are gone, were undone or never arrived
  torn             objects whose bytes, size or hash disagree, or that nobody sent
  duplicated       writes that took effect twice, events that arrived twice although nothing was killed in between
  orphans          bytes and unfinished writes in the engine that no row refers to, after collector and sweep
  missing          rows whose bytes are not in the engine
  uncommitted      objects that come from a refused upload
  uncollected      bytes that are still in the trash after the collector
  misplaced        objects whose bytes are in another tier than that of their class (class-moves)
  stale            reads, writes and arrivals that contradict the order in which they happened
  failed           requests that failed although none should (osd, devices, restarts), or whose retry failed too (upgrade), a server
                   that exited or grew (sip-fuzz)
  wrong            rounds with the wrong number of winners (races); streams, devices and channels whose last event is
                   wrong, and events that do not alternate (live, devices); sequences that differ from the model (model);
                   what a run that showed nothing did not do (upgrade): migrate, serve at every gateway, change anything
  lossBelow        for failover and storm: 3 / acknowledged, above which the share of lost writes is with a probability of at most 5 %
  failovers        for failover: until a server took writes (primaryMs), the longest time without a successful write
                   (silentMs), the same from then on (writesBackMs), failed requests, and those whose retry failed too
  steps            for upgrade: how long each took (ms), the longest time without a successful write (silentMs), failed
                   requests with the first answers, those whose retry failed too, and the changes that each gateway
                   acknowledged (served)
  problems         the first of all these, in words
The plan of load and faults follows from the seed; how the requests interleave does not.`;

const DEFAULT_KILLS = 20;
/** Each takes a minute or two. */
const DEFAULT_FAILOVERS = 1;
const DEFAULT_ROUNDS = 50;
const DEFAULT_PUBLISHERS = 200;

/** Undefined if help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const [name, ...rest] = positionals;
  const known = RUN_NAMES.find((run) => run === name);
  if (known === undefined || rest.length > 0) {
    throw new UsageError(`name one run of ${RUN_NAMES.join(', ')} (--help shows how)`);
  }
  const store = values.store ?? 's3';
  if (store !== 's3' && store !== 'disk') throw new UsageError('--store must be s3 or disk');
  if (known === 'osd' && store === 'disk') throw new UsageError('the run osd needs --store s3');
  return {
    name: known,
    store,
    seed: values.seed ?? randomBytes(4).toString('hex'),
    kills: wholeNumber('--kills', values.kills) ?? (known === 'failover' ? DEFAULT_FAILOVERS : DEFAULT_KILLS),
    rounds: wholeNumber('--rounds', values.rounds) ?? DEFAULT_ROUNDS,
    publishers: wholeNumber('--publishers', values.publishers) ?? DEFAULT_PUBLISHERS,
    count: wholeNumber('--count', values.count),
    minutes: minutes(values.minutes),
    fault: oneOf('--fault', Object.keys(faults) as FaultName[], values.fault ?? 'kill'),
    via: oneOf('--via', ['hosts', 'haproxy'], values.via ?? 'hosts'),
    patroni: values.patroni ?? 'patroni',
    from: values.from,
    json: values.json ?? false,
    log: values.log ?? false,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kills: { type: 'string' },
        rounds: { type: 'string' },
        publishers: { type: 'string' },
        count: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        store: { type: 'string' },
        fault: { type: 'string' },
        via: { type: 'string' },
        patroni: { type: 'string' },
        from: { type: 'string' },
        json: { type: 'boolean' },
        log: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function oneOf<const T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${option} must be one of ${values.join(', ')}`);
  return found;
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError(`${option} must be a whole number, at least 1`);
  return Number(text);
}

function minutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : 0;
  if (number <= 0) throw new UsageError('--minutes must be a number above 0');
  return number;
}
