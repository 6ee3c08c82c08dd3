/**
 * Verifies the identity of a device that registers: by digest, with a nonce that we made for its address. Limits how
 * often a network may try a device's password.
 */
import { clientNetwork, RateLimiter } from '@millpond/base';
import {
  headerOf,
  isResponseOf,
  Nonces,
  type OutgoingResponse,
  type Peer,
  parseCredentials,
  type SipRequest,
} from '@millpond/camera-wire';
import { Fault } from '@millpond/protocol';
import type { AccountStates } from '../../identity/accounts/index.ts';
import { Coalescer } from '../../platform/coalescer.ts';
import { isFaultOfAKey } from '../../platform/db/sqlstate.ts';
import type { DevicePasswords } from './devices.passwords.ts';
import type { KnownDevice, RegistrationStore } from './registration.store.ts';
import { sipBusy, sipChallenge, sipForbidden } from './sip-responses.ts';

export interface AuthenticationDeps {
  readonly store: RegistrationStore;
  readonly passwords: DevicePasswords;
  readonly accounts: AccountStates;
}

type Credentials = ReturnType<typeof parseCredentials>;

const NONCE_LIFE_MS = 5 * 60_000;
const TRIES = { burst: 30, perMinute: 30 };
const LOOKUPS_BATCH = 200;
/** Devices of different accounts that have one id and user name. */
const MAX_ATTEMPTS_PER_NAME = 100;
/** Makes refusing an unknown device take as long as refusing a wrong password. */
const NO_PASSWORD = 'no password at all';

export class Authentication {
  readonly #passwords: DevicePasswords;
  readonly #accounts: AccountStates;
  readonly #realm: string;
  readonly #nonces = new Nonces({ lifeMs: NONCE_LIFE_MS });
  readonly #tries = new RateLimiter(TRIES, 'tooManyRequests');
  readonly #lookups: Coalescer<{ gbid: string; username: string }, KnownDevice[]>;

  constructor({ store, passwords, accounts }: AuthenticationDeps, realm: string, maxWaiting: number) {
    this.#passwords = passwords;
    this.#accounts = accounts;
    this.#realm = realm;
    this.#lookups = new Coalescer({
      most: LOOKUPS_BATCH,
      atOnce: 1,
      maxWaiting,
      key: ({ gbid, username }) => `${gbid} ${username}`,
      async work(items) {
        const rows = await store.find(items, MAX_ATTEMPTS_PER_NAME);
        const found = Map.groupBy(rows, ({ gbid, username }) => `${gbid} ${username}`);
        return items.map(({ gbid, username }) => found.get(`${gbid} ${username}`) ?? []);
      },
      isOfOne: isFaultOfAKey,
    });
  }

  /** Needs no lookup: returns a challenge if there are no credentials that could be right. Throws a `SipParseError`. */
  credentials(request: SipRequest, { address }: Peer): Credentials | OutgoingResponse {
    const header = headerOf(request, 'authorization');
    if (header === '') return sipChallenge(this.#realm, this.#nonces.make(address), false);
    const credentials = parseCredentials(header);
    if (credentials.realm !== this.#realm || !this.#nonces.isFresh(credentials.nonce, address))
      return sipChallenge(this.#realm, this.#nonces.make(address), true);
    return credentials;
  }

  /** The device, or the reason for refusing it. */
  async verify(
    gbid: string,
    credentials: Credentials,
    request: SipRequest,
    { address }: Peer,
  ): Promise<KnownDevice | OutgoingResponse> {
    try {
      this.#tries.take(`${clientNetwork(address)} ${gbid}`);
    } catch (error) {
      if (error instanceof Fault) return sipBusy();
      throw error;
    }
    const devices = await this.#lookups.add({ gbid, username: credentials.username });
    const proves = (password: string) => isResponseOf(credentials, password, request.method);
    // If devices of several accounts have this id, it is the one whose password the request proves.
    const device = devices.find((each) => proves(this.#passwords.open(each)));
    if (devices.length === 0) proves(NO_PASSWORD);
    if (device === undefined || device.is_disabled) return sipForbidden;
    if (await this.#accounts.isDisabled(device.uid)) return sipForbidden;
    if (!this.#nonces.use(credentials.nonce, credentials.count?.nc))
      return sipChallenge(this.#realm, this.#nonces.make(address), true);
    return device;
  }
}
