/** One piece of work for all callers that ask for the same thing at the same time. It ends early when nobody waits any more. */

interface Flight<Outcome> {
  readonly controller: AbortController;
  readonly done: Promise<Outcome>;
  passengers: number;
}

export class SingleFlight<Outcome = void> {
  readonly #flights = new Map<string, Flight<Outcome>>();

  /** The first caller starts `work`; its signal fires when nobody waits for it any more. */
  join(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const flight = this.#flights.get(name) ?? this.#start(name, work);
    flight.passengers += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        flight.passengers -= 1;
        if (flight.passengers === 0) this.#abandon(name, flight, signal.reason);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      void flight.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<Outcome>): Flight<Outcome> {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => this.#forget(name, flight));
    const flight: Flight<Outcome> = { controller, done, passengers: 0 };
    this.#flights.set(name, flight);
    return flight;
  }

  /** Callers from now on start anew. */
  #abandon(name: string, flight: Flight<Outcome>, reason: unknown): void {
    this.#forget(name, flight);
    flight.controller.abort(reason);
  }

  #forget(name: string, flight: Flight<Outcome>): void {
    if (this.#flights.get(name) === flight) this.#flights.delete(name);
  }
}
