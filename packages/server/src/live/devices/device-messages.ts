/**
 * What registered devices send by MESSAGE: signs of life, and their channels. Refused from any address but the registered
 * one.
 */
import {
  type CatalogPart,
  type OutgoingResponse,
  type Peer,
  parseDeviceMessage,
  ServerTransactions,
  type SipRequest,
  transactionKey,
  userOf,
} from '@millpond/camera-wire';
import type { CatalogQueries } from './catalog-queries.ts';
import type { ChangeWriter } from './change-writer.ts';
import type { Registration, Registrations } from './registrations.ts';
import { sipForbidden, sipOk } from './sip-responses.ts';

export interface DeviceMessageDeps {
  readonly registrations: Registrations;
  readonly changes: ChangeWriter;
  readonly catalogs: CatalogQueries;
}

export class DeviceMessages {
  readonly #deps: DeviceMessageDeps;
  readonly #counts: { messages: number; refused: number };
  readonly #warn: (gbid: string, error: unknown) => void;
  readonly #transactions = new ServerTransactions();
  /** Heard from since this was last read. */
  #heard = new Set<Registration>();

  constructor(
    deps: DeviceMessageDeps,
    counts: { messages: number; refused: number },
    warn: (gbid: string, error: unknown) => void,
  ) {
    this.#deps = deps;
    this.#counts = counts;
    this.#warn = warn;
  }

  drainSeen(): Set<Registration> {
    const heard = this.#heard;
    this.#heard = new Set();
    return heard;
  }

  /** Throws a `SipParseError`. */
  handle(request: SipRequest, peer: Peer): OutgoingResponse {
    const registration = this.#deps.registrations.at(userOf(request.from) ?? '', peer);
    if (registration === undefined) {
      this.#counts.refused += 1;
      return sipForbidden;
    }
    this.#counts.messages += 1;
    registration.seenAt = performance.now();
    registration.peer = peer;
    peer.keep();
    this.#heard.add(registration);
    const content = parseDeviceMessage(request.body);
    if (content.command === 'Catalog') this.#catalog(registration, content, transactionKey(request, peer));
    return sipOk;
  }

  #catalog(registration: Registration, part: CatalogPart, key: string): void {
    // Counted once, however often it is retransmitted.
    if (this.#transactions.begin(key) !== 'new') return;
    const { catalogs, changes } = this.#deps;
    for (const whole of catalogs.answers.add(registration, String(registration.deviceId), part)) {
      catalogs.markListed(whole, performance.now());
      const { device, isWhole, channels } = whole;
      changes
        .add({ kind: 'list', catalog: { deviceId: device.deviceId, isWhole, channels } })
        .catch((error: unknown) => {
          this.#warn(device.gbid, error);
          catalogs.schedule(device, performance.now());
        });
    }
  }
}
