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

const MAX_CONCURRENT_QUERIES = 500;
const MAX_ATTEMPTS = 3;
const AGAIN_AFTER_MS = 30_000;
/** A device that refreshes its registration is asked again if its list is older than this. */
const OLD_MS = 10 * 60_000;
const PARTS_TIMEOUT_MS = 8_000;
const MAX_PARTIAL_CATALOGS = 2_000;
const MAX_SEQUENCE_NUMBER = 2 ** 30;

export class CatalogQueries {
  readonly transactions = new ClientTransactions();
  readonly answers = new Catalogs<Registration>({ patienceMs: PARTS_TIMEOUT_MS, most: MAX_PARTIAL_CATALOGS });
  readonly #options: CatalogQueryOptions;
  #number = 0;

  constructor(options: CatalogQueryOptions) {
    this.#options = options;
  }

  /** Requests its channels; `now` is the process's clock. */
  schedule(registration: Registration, now: number): void {
    registration.askAt = now;
    registration.asked = 0;
  }

  /** Carries over what a refreshed registration keeps from the previous one. */
  renew(registration: Registration, before: Registration, now: number): void {
    registration.listedAt = before.listedAt;
    registration.askAt = before.askAt;
    registration.asked = before.asked;
    if (now - before.listedAt > OLD_MS && before.askAt === undefined) this.schedule(registration, now);
  }

  /** Asks all devices that are due, up to the limit of queries in flight. */
  askDue(registrations: Registrations, now: number): void {
    for (const registration of registrations.values()) {
      if (this.transactions.size >= MAX_CONCURRENT_QUERIES) return;
      if (registration.askAt !== undefined && registration.askAt <= now) this.sendQuery(registration, now);
    }
  }

  sendQuery(registration: Registration, now: number): void {
    registration.asked += 1;
    registration.askAt =
      registration.asked < MAX_ATTEMPTS ? now + AGAIN_AFTER_MS * registration.asked : undefined;
    const { send, ...peer } = registration.peer;
    if (send === undefined || this.transactions.size >= MAX_CONCURRENT_QUERIES) return;
    const branch = `z9hG4bK${randomBytes(8).toString('hex')}`;
    const bytes = this.#query(registration, branch);
    void this.transactions.send({ keep: () => undefined, ...peer, send }, bytes, branch);
  }

  markListed(catalog: Catalog<Registration>, now: number): void {
    const { device } = catalog;
    device.listedAt = now;
    if (catalog.isWhole) device.askAt = undefined;
  }

  #query({ gbid, peer }: Registration, branch: string): Buffer {
    const { serverId, realm, host } = this.#options;
    this.#number = (this.#number % MAX_SEQUENCE_NUMBER) + 1;
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
