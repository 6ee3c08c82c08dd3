/**
 * Makes results for waiting requests. The number in progress and the number waiting are bounded, and each account has at
 * most its share. Identical requests share one run. A run ends at its deadline, or when nobody waits for it any more.
 * Waiting for a slot is not part of the run: it has its own deadline, after which the client may try again.
 */
import { Fault } from '@millpond/protocol';
import { FairGate } from '../../platform/fair-gate.ts';
import { TooManyWaiting } from '../../platform/gate.ts';
import {
  type EngineKind,
  EngineMissing,
  type ImageBounds,
  type MediaEngine,
  type MemoryJob,
  type MemoryResult,
  ProcessingFailed,
  runInMemory,
} from '../../platform/media/index.ts';
import { SingleFlight } from '../../platform/single-flight.ts';

/** Tighter than those of tasks. */
const bounds = {
  frames: 200,
  outputSide: 9_999,
  outputPixels: 25_000_000,
} as const satisfies Omit<ImageBounds, 'wallMs'>;

export interface MakerOptions {
  readonly engine: () => Promise<MediaEngine>;
  /** 0: this process makes none. */
  readonly slots: number;
  readonly waiting: number;
  /** Image processes; each works on one image at a time. */
  readonly processes: number;
  /** For the work, and separately for the wait before it. */
  readonly timeoutMs: number;
}

export interface Order<Outcome> {
  /** Equal for identical requests. */
  readonly name: string;
  /** The account that owns the work. */
  readonly account: bigint;
  readonly job: (signal: AbortSignal) => Promise<Pick<MemoryJob, 'stages' | 'source' | 'further'>>;
  /** Called when the job is over. `isRead`: it gave a result, so nothing reads its sources any more. */
  readonly end?: ((isRead: boolean) => void) | undefined;
  /** Handles the result, once for all who wait for it. */
  readonly keep: (result: MemoryResult | 'original') => Promise<Outcome>;
}

export class Maker<Outcome> {
  readonly #options: MakerOptions;
  readonly #gate: FairGate<bigint>;
  readonly #flights = new SingleFlight<Outcome>();
  readonly #ofAccount = new Map<bigint, number>();
  #made = 0;

  constructor(options: MakerOptions) {
    this.#options = options;
    const { slots, waiting, processes } = options;
    // If several accounts ask: half of the slots, and not all processes. While one account's work takes long, another's
    // can begin.
    const slotsEach = Math.max(1, Math.min(Math.floor(slots / 2), processes - 1));
    this.#gate = new FairGate({ slots, slotsEach, waiting });
  }

  /** Number of results so far. */
  get made(): number {
    return this.#made;
  }

  /** Number of results in progress or waiting. */
  get underWay(): number {
    return [...this.#ofAccount.values()].reduce((sum, taken) => sum + taken, 0);
  }

  async make(order: Order<Outcome>, cancel: AbortSignal): Promise<Outcome> {
    if (this.#options.slots === 0) throw processingOff('images');
    return this.#flights.join(order.name, cancel, async (abandoned) => {
      const share = this.#takeShare(order.account);
      try {
        const leave = await this.#enter(order.account, abandoned);
        return await this.#run(order, leave, abandoned);
      } catch (error) {
        throw abandoned.aborted ? abandoned.reason : faultOf(error);
      } finally {
        share();
      }
    });
  }

  async #enter(account: bigint, abandoned: AbortSignal): Promise<() => void> {
    const patience = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      return await this.#gate.enter(account, AbortSignal.any([abandoned, patience]));
    } catch (error) {
      throw patience.aborted ? tooMany() : error;
    }
  }

  async #run(
    { job, end, keep }: Order<Outcome>,
    leave: () => void,
    abandoned: AbortSignal,
  ): Promise<Outcome> {
    const { engine, timeoutMs } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([abandoned, deadline]);
    let result: MemoryResult | 'original' | undefined;
    try {
      const media = await engine();
      signal.throwIfAborted();
      result = await runInMemory(media, {
        ...(await job(signal)),
        bounds: { ...bounds, wallMs: timeoutMs },
        signal,
      });
    } catch (error) {
      throw deadline.aborted ? new Fault('commandFailed', { hint: 'it took too long' }) : error;
    } finally {
      leave();
      end?.(result !== undefined);
    }
    this.#made += 1;
    return keep(result);
  }

  /** Half of all places: one account's requests never keep another from its turn. */
  #takeShare(account: bigint): () => void {
    const { slots, waiting } = this.#options;
    const taken = this.#ofAccount.get(account) ?? 0;
    if (taken >= Math.max(1, Math.ceil((slots + waiting) / 2))) throw tooMany();
    this.#ofAccount.set(account, taken + 1);
    return () => {
      const left = (this.#ofAccount.get(account) ?? 1) - 1;
      if (left === 0) this.#ofAccount.delete(account);
      else this.#ofAccount.set(account, left);
    };
  }
}

/** The request can't be done, there are too many at once, or the failure is our own. */
function faultOf(error: unknown): unknown {
  if (error instanceof TooManyWaiting) return tooMany();
  if (error instanceof EngineMissing) return processingOff(error.kind);
  if (!(error instanceof ProcessingFailed)) return error;
  if (error.mayTryAgain) return tooMany();
  const hint = error.message.replace(/^execute fop cmd failed: /, '');
  return new Fault('commandFailed', { hint, cause: error });
}

function processingOff(engine: EngineKind): Fault {
  const what = engine === 'media' ? 'films are' : 'processing is';
  return new Fault('unsupportedCommand', { hint: `${what} off on this server` });
}

function tooMany(): Fault {
  return new Fault('tooManyRequests', {
    hint: 'too many images are being made',
    retryAfterSeconds: 1,
  });
}
