/**
 * Makes results for waiting requests. The number in progress and the number waiting are bounded, and each tenant has at
 * most its share. Identical requests share one run. A run ends at its deadline, or when nobody waits for it any more, and one of a
 * tenant that has several begins anew if another tenant waits. Waiting for a slot is not part of the run: it has its own deadline,
 * after which the client may try again. What can't be made is not tried again for a while.
 */
import { FairSemaphore, TooManyWaitersError } from '@millpond/base';
import {
  type EngineKind,
  EngineMissingError,
  type ImageBounds,
  type MediaEngine,
  type MemoryJob,
  type MemoryResult,
  ProcessingError,
  runInMemory,
} from '@millpond/jail';
import { Fault } from '@millpond/protocol';
import { FailureMemory } from '../../platform/failure-memory.ts';
import { SingleFlight } from '../../platform/single-flight.ts';

/** Tighter than those of tasks. */
const bounds = {
  frames: 200,
  outputSide: 9_999,
  outputPixels: 25_000_000,
} as const satisfies Omit<ImageBounds, 'wallMs'>;

/** What took half a minute is remembered for ten, what was refused at a glance for a second. */
const failures = { times: 20, maxMs: 600_000, entries: 20_000 };

export interface RendererOptions {
  readonly engine: () => Promise<MediaEngine>;
  /** 0: this process makes none. */
  readonly slots: number;
  readonly waiting: number;
  /** Image processes; each works on one image at a time. */
  readonly processes: number;
  /** For the work, and separately for the wait before it. */
  readonly timeoutMs: number;
}

export interface RenderJob<Outcome> {
  /** Equal for identical requests. */
  readonly name: string;
  /** The account that owns the work. */
  readonly tenant: bigint;
  readonly job: (signal: AbortSignal) => Promise<Pick<MemoryJob, 'stages' | 'source' | 'further'>>;
  /** Called when a run of the job is over. `isRead`: it gave a result, so nothing reads its sources any more. */
  readonly end?: ((isRead: boolean) => void) | undefined;
  /** Handles the result, once for all who wait for it. */
  readonly keep: (result: MemoryResult | 'original') => Promise<Outcome>;
}

export class Renderer<Outcome> {
  readonly #options: RendererOptions;
  readonly #gate: FairSemaphore<bigint>;
  readonly #flights = new SingleFlight<Outcome>();
  readonly #ofTenant = new Map<bigint, number>();
  readonly #failures = new FailureMemory<Fault>(failures);
  #made = 0;

  constructor(options: RendererOptions) {
    this.#options = options;
    const { slots, waiting, processes } = options;
    // If several tenants ask: half of the slots, and not all processes. While one tenant's work takes long, another's
    // can begin.
    const slotsEach = Math.max(1, Math.min(Math.floor(slots / 2), processes - 1));
    this.#gate = new FairSemaphore({ slots, slotsEach, waiting });
  }

  /** Number of results so far. */
  get renderedCount(): number {
    return this.#made;
  }

  /** Number of results in progress or waiting. */
  get activeCount(): number {
    return [...this.#ofTenant.values()].reduce((sum, taken) => sum + taken, 0);
  }

  async make(job: RenderJob<Outcome>, cancel: AbortSignal): Promise<Outcome> {
    if (this.#options.slots === 0) throw processingOff('images');
    return this.#flights.join(job.name, cancel, async (abandoned) => {
      const known = this.#failures.find(job.name);
      if (known !== undefined) throw known;
      const share = this.#takeShare(job.tenant);
      try {
        return await job.keep(await this.#result(job, abandoned));
      } catch (error) {
        throw abandoned.aborted ? abandoned.reason : faultOf(error);
      } finally {
        share();
      }
    });
  }

  async #result(job: RenderJob<Outcome>, abandoned: AbortSignal): Promise<MemoryResult | 'original'> {
    for (;;) {
      const makeWay = new AbortController();
      const leave = await this.#enter(job.tenant, abandoned, () => makeWay.abort());
      const began = performance.now();
      try {
        const result = await this.#run(job, leave, AbortSignal.any([abandoned, makeWay.signal]));
        this.#made += 1;
        return result;
      } catch (error) {
        if (abandoned.aborted || !makeWay.signal.aborted) {
          const fault = faultOf(error);
          if (fault instanceof Fault && fault.fault === 'commandFailed' && !abandoned.aborted)
            this.#failures.add(job.name, fault, performance.now() - began);
          throw fault;
        }
      }
    }
  }

  async #enter(tenant: bigint, abandoned: AbortSignal, makeWay: () => void): Promise<() => void> {
    const patience = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      return await this.#gate.enter(tenant, AbortSignal.any([abandoned, patience]), makeWay);
    } catch (error) {
      throw patience.aborted ? tooMany() : error;
    }
  }

  async #run(
    { job, end, tenant }: RenderJob<Outcome>,
    leave: () => void,
    given: AbortSignal,
  ): Promise<MemoryResult | 'original'> {
    const { engine, timeoutMs } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([given, deadline]);
    let result: MemoryResult | 'original' | undefined;
    try {
      const media = await engine();
      signal.throwIfAborted();
      result = await runInMemory(media, {
        ...(await job(signal)),
        bounds: { ...bounds, wallMs: timeoutMs },
        tenant,
        signal,
      });
      return result;
    } catch (error) {
      throw deadline.aborted ? new Fault('commandFailed', { hint: 'it took too long' }) : error;
    } finally {
      leave();
      end?.(result !== undefined);
    }
  }

  /** Half of all places: one tenant's requests never keep another from its turn. */
  #takeShare(tenant: bigint): () => void {
    const { slots, waiting } = this.#options;
    const taken = this.#ofTenant.get(tenant) ?? 0;
    if (taken >= Math.max(1, Math.ceil((slots + waiting) / 2))) throw tooMany();
    this.#ofTenant.set(tenant, taken + 1);
    return () => {
      const left = (this.#ofTenant.get(tenant) ?? 1) - 1;
      if (left === 0) this.#ofTenant.delete(tenant);
      else this.#ofTenant.set(tenant, left);
    };
  }
}

/** The request can't be done, there are too many at once, or the failure is our own. */
function faultOf(error: unknown): unknown {
  if (error instanceof TooManyWaitersError) return tooMany();
  if (error instanceof EngineMissingError) return processingOff(error.kind);
  if (!(error instanceof ProcessingError)) return error;
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
