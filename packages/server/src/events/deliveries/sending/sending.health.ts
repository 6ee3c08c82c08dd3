/**
 * What a sender learns about endpoints from its tries, and which of it is written: only changes of state, so events to a
 * healthy endpoint write nothing about it.
 */
import type { Log } from '@millpond/base';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { afterFailure, afterSuccess, type Circuit, type CircuitChange, newCircuit } from '../circuit.ts';
import type { EndpointStore } from '../endpoint.store.ts';
import type { ClaimedRow } from './delivery-queue.store.ts';
import { originOf } from './origin-of.ts';
import type { Endpoint, SendWindow, WindowItem } from './send-window.ts';

export interface HealthOptions<Item extends WindowItem> {
  readonly held: SendWindow<Item>;
  readonly timeFactor: number;
  readonly tenants: Pick<Tenants, 'known'>;
  /** Notifies the operator; returns whether this call suspended it. */
  readonly suspend: (endpointId: bigint, reason: string) => Promise<boolean>;
  /** An endpoint is back: there is work. */
  readonly onReturn: () => void;
}

export class Health<Item extends WindowItem> {
  readonly #endpoints: EndpointStore;
  readonly #log: Log;
  readonly #options: HealthOptions<Item>;
  /** Endpoints suspended because of what was learnt here. */
  suspended = 0;

  constructor(endpoints: EndpointStore, log: Log, options: HealthOptions<Item>) {
    this.#endpoints = endpoints;
    this.#log = log;
    this.#options = options;
  }

  /** After a try. Returns what was claimed ahead, if the endpoint gets nothing more for now. */
  recordResult(endpointId: bigint, isGood: boolean, isGone: boolean): Item[] {
    const { held } = this.#options;
    const endpoint = held.find(endpointId);
    if (endpoint === undefined) return [];
    const now = this.#now();
    const { circuit, change } = isGood
      ? afterSuccess(endpoint.circuit, now)
      : afterFailure(endpoint.circuit, now, isGone);
    held.recordResult(endpoint, circuit, isGood);
    if (change !== undefined) void this.#write(endpoint, circuit, change);
    return circuit.state === 'open' || circuit.state === 'suspended' ? held.drop(endpoint) : [];
  }

  /** The endpoint as the database describes it, combined with what only this process knows. */
  fromRow(row: ClaimedRow): Endpoint<Item> {
    const { held, tenants, timeFactor } = this.#options;
    const endpoint = held.endpoint({
      id: row.endpoint_id,
      tenant: tenants.known(row.uid),
      origin: originOf(row.endpoint_address),
      isConfigured: row.is_configured,
    });
    const known = endpoint.circuit;
    const failingSince = row.failing_for === null ? undefined : this.#now() - row.failing_for * timeFactor;
    const isKnown = (known.failingSince === undefined) === (failingSince === undefined);
    if (known.state !== row.endpoint_state || !isKnown) {
      const { is_configured: isConfigured, endpoint_state: state, openings } = row;
      const mine = failingSince === undefined ? {} : known;
      held.setCircuit(endpoint, newCircuit({ ...mine, isConfigured, state, openings, failingSince }));
    }
    if (row.is_backlogged) held.setBacklogged(endpoint, true);
    return endpoint;
  }

  async #write(endpoint: Endpoint<Item>, circuit: Circuit, change: CircuitChange): Promise<void> {
    const { timeFactor, suspend, onReturn } = this.#options;
    try {
      if (change.kind === 'failing') await this.#endpoints.failing(endpoint.id);
      else if (change.kind === 'open')
        await this.#endpoints.open(endpoint.id, change.probeAfter / timeFactor, circuit.openings);
      else if (change.kind === 'closed') {
        await this.#endpoints.close(endpoint.id);
        onReturn();
      } else if (await suspend(endpoint.id, change.reason)) this.suspended += 1;
    } catch (error) {
      // The next row claimed for it brings the database's state.
      const words = { endpoint: String(endpoint.id), error: (error as Error).message };
      this.#log.warn(words, 'state of endpoint could not be recorded');
    }
  }

  #now(): number {
    return performance.now() * this.#options.timeFactor;
  }
}
