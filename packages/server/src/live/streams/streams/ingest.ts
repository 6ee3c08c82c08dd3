/** What comes in from the publisher of a stream: now, as its engine says, and by minute for the last hour. */
import type { WireRecord } from '@millpond/protocol';
import { refreshedValue } from '../../../platform/refreshed-value.ts';
import { engineName, parseEngineName, type StreamAddress } from '../engine-name.ts';
import type { Engine } from '../engines/index.ts';
import type { EngineIngest, EngineState } from '../engines/nginx-stat.ts';
import type { IngestStore } from './ingest.store.ts';

/** An engine's answer holds all of its streams: readers of one share it with readers of the others. */
const INTERVAL_MS = 2000;
const WAIT_MS = 4000;
const MINUTE_MS = 60_000;

export class IngestStats {
  readonly #store: IngestStore;
  readonly #states: ReadonlyMap<string, () => Promise<EngineState | undefined>>;

  constructor(store: IngestStore, engines: readonly Engine[]) {
    this.#store = store;
    const refreshed = ({ client }: Engine) =>
      refreshedValue(() => client.state(), { everyMs: INTERVAL_MS, waitMs: WAIT_MS });
    this.#states = new Map(engines.map((engine) => [engine.id, refreshed(engine)]));
  }

  /** `engine`: of its publisher; undefined if there is none. */
  async get(stream: StreamAddress, engine: string | undefined): Promise<WireRecord<'StreamFigures'>> {
    const [state, minutes] = await Promise.all([
      this.#states.get(engine ?? '')?.(),
      this.#store.minutes(stream),
    ]);
    const found = state?.ingests.find(({ name }) => name === engineName(stream));
    return {
      ...(found && { now: nowOf(found) }),
      minutes: minutes.map(({ at, bitrate, video, audio }) => ({
        at: at.toISOString(),
        bitrate: Number(bitrate),
        video: Number(video),
        audio: Number(audio),
      })),
    };
  }
}

function nowOf({ name: _name, ...ingest }: EngineIngest): NonNullable<WireRecord<'StreamFigures'>['now']> {
  return ingest;
}

interface Sum {
  count: number;
  bitrate: number;
  video: number;
  audio: number;
}

/** For the owner of an engine: adds up what it hears, and writes the mean of each minute. */
export class IngestRecorder {
  readonly #store: IngestStore;
  #sums = new Map<string, Sum>();
  #begunAt = performance.now();

  constructor(store: IngestStore) {
    this.#store = store;
  }

  async add({ ingests }: EngineState): Promise<void> {
    for (const { name, bitrate, video, audio } of ingests) {
      const sum = this.#sums.get(name) ?? { count: 0, bitrate: 0, video: 0, audio: 0 };
      sum.count++;
      sum.bitrate += bitrate;
      sum.video += video;
      sum.audio += audio;
      this.#sums.set(name, sum);
    }
    if (performance.now() - this.#begunAt < MINUTE_MS) return;
    await this.write();
  }

  /** Everything heard so far. */
  async write(): Promise<void> {
    const sums = this.#sums;
    this.#sums = new Map();
    this.#begunAt = performance.now();
    const means = [...sums].flatMap(([name, { count, ...sum }]) => {
      const stream = parseEngineName(name);
      const mean = { bitrate: sum.bitrate / count, video: sum.video / count, audio: sum.audio / count };
      return stream === undefined ? [] : [{ ...stream, ...mean }];
    });
    if (means.length > 0) await this.#store.write(means);
  }
}
