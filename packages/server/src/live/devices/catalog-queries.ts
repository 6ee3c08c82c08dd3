/** Asks devices for their channels: after they register, on request, and again when no answer arrives. */
import { randomBytes } from 'node:crypto';
import {
  type Catalog,
  Catalogs,
  ClientTransactions,
  catalogQuery,
  formatRequest,
} from '@millpond/camera-wire';
import type { Registration, Registrations } from './registrations.ts';

export interface CatalogQueryOptions {
  readonly serverId: string;
  readonly realm: string;
  /** `host:port` at which devices reach us. */
  readonly host: string;
}

const MOST_UNDER_WAY = 500;
const MOST_TRIES = 3;
const AGAIN_AFTER_MS = 30_000;
/** A device that refreshes its registration is asked again if its list is older than this. */
const OLD_MS = 10 * 60_000;
const PARTS_WITHIN_MS = 8_000;
const MOST_IN_PARTS = 2_000;
const LARGEST_NUMBER = 2 ** 30;

export class CatalogQueries {
  readonly transactions = new ClientTransactions();
  readonly answers = new Catalogs<Registration>({ patienceMs: PARTS_WITHIN_MS, most: MOST_IN_PARTS });
  readonly #options: CatalogQueryOptions;
  #number = 0;

  constructor(options: CatalogQueryOptions) {
    this.#options = options;
  }

  /** Requests its channels; `now` is the process's clock. */
  want(registration: Registration, now: number): void {
    registration.askAt = now;
    registration.asked = 0;
  }

  /** Carries over what a refreshed registration keeps from the previous one. */
  renew(registration: Registration, before: Registration, now: number): void {
    registration.listedAt = before.listedAt;
    registration.askAt = before.askAt;
    registration.asked = before.asked;
    if (now - before.listedAt > OLD_MS && before.askAt === undefined) this.want(registration, now);
  }

  /** Asks all devices that are due, up to the limit of queries in flight. */
  askDue(registrations: Registrations, now: number): void {
    for (const registration of registrations.values()) {
      if (this.transactions.size >= MOST_UNDER_WAY) return;
      if (registration.askAt !== undefined && registration.askAt <= now) this.ask(registration, now);
    }
  }

  ask(registration: Registration, now: number): void {
    registration.asked += 1;
    registration.askAt =
      registration.asked < MOST_TRIES ? now + AGAIN_AFTER_MS * registration.asked : undefined;
    const { send, ...peer } = registration.peer;
    if (send === undefined || this.transactions.size >= MOST_UNDER_WAY) return;
    const branch = `z9hG4bK${randomBytes(8).toString('hex')}`;
    const bytes = this.#query(registration, branch);
    void this.transactions.send({ keep: () => undefined, ...peer, send }, bytes, branch);
  }

  listed(catalog: Catalog<Registration>, now: number): void {
    const { device } = catalog;
    device.listedAt = now;
    if (catalog.isWhole) device.askAt = undefined;
  }

  #query({ gbid, peer }: Registration, branch: string): Buffer {
    const { serverId, realm, host } = this.#options;
    this.#number = (this.#number % LARGEST_NUMBER) + 1;
    const address = peer.address.includes(':') ? `[${peer.address}]` : peer.address;
    return formatRequest({
      method: 'MESSAGE',
      uri: `sip:${gbid}@${address}:${peer.port}`,
      headers: [
        ['Via', `SIP/2.0/${peer.transport.toUpperCase()} ${host};rport;branch=${branch}`],
        ['From', `<sip:${serverId}@${realm}>;tag=${randomBytes(5).toString('hex')}`],
        ['To', `<sip:${gbid}@${realm}>`],
        ['Call-ID', `${randomBytes(10).toString('hex')}@${host}`],
        ['CSeq', '1 MESSAGE'],
      ],
      content: { type: 'Application/MANSCDP+xml', body: catalogQuery(gbid, this.#number) },
    });
  }
}
