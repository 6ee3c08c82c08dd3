/**
 * Domains bound to buckets. Binding a name requires write access to its DNS zone: a TXT record must hold a word that is
 * specific to this account and this name, so that it proves nothing for anybody else. An account with proof gets the
 * name, even if another account still holds it. An operator may bind without proof.
 */
import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { encodeBase64, equalBytes, Fault } from '@millpond/protocol';
import type { BucketSettingsStore, DomainRow } from './bucket-settings.store.ts';
import type { Bucket, Buckets } from './buckets.service.ts';
import { isOwnHost, type OwnHosts } from './domain-name.ts';

export interface DomainDeps {
  readonly store: BucketSettingsStore;
  readonly buckets: Buckets;
  readonly own: OwnHosts;
  /** `none`: first come, first served. */
  readonly proof: 'dns' | 'none';
  /** Newest first: it makes new proofs; proofs of all keys are accepted. */
  readonly proofKeys: readonly Buffer[];
  readonly lookUpTexts: LookUpTexts;
}

/** TXT records of a name that a user gave; empty if it can't be looked up. */
type LookUpTexts = (name: string) => Promise<readonly string[]>;

const RECORD = '_millpond';
const WORD = 'millpond-domain=';
const LOOKUP_TIMEOUT_MS = 3_000;
const LOOKUP_TRIES = 2;

export class Domains {
  readonly #deps: DomainDeps;

  constructor(deps: DomainDeps) {
    this.#deps = deps;
  }

  list(bucket: Bucket): Promise<DomainRow[]> {
    return this.#deps.store.domainsOf(bucket.id);
  }

  async bind(domain: string, bucket: Bucket): Promise<void> {
    this.#refuseOwn(domain);
    const isProven = await this.#isProven(domain, bucket.uid);
    await this.#bind(domain, bucket, isProven);
  }

  /** For an operator, who takes responsibility. */
  async bindUnproven(domain: string, bucket: Bucket): Promise<void> {
    this.#refuseOwn(domain);
    await this.#bind(domain, bucket, true);
  }

  /** Unbinds a domain of an account or, for an operator, of any account. */
  async unbind(domain: string, uid?: bigint): Promise<void> {
    if (!(await this.#deps.store.unbindDomain(domain, uid))) throw new Fault('noSuchDomain');
    this.#deps.buckets.forgetDomain(domain);
  }

  #refuseOwn(domain: string): void {
    if (isOwnHost(domain, this.#deps.own))
      throw new Fault('notAllowed', { hint: 'the domain belongs to this installation' });
  }

  async #bind(domain: string, bucket: Bucket, mayTakeOver: boolean): Promise<void> {
    const { store, buckets } = this.#deps;
    if (!(await store.bindDomain(domain, bucket, mayTakeOver))) {
      const owner = await store.domainOwner(domain);
      throw owner === undefined || owner === bucket.uid
        ? new Fault('invalidArgument', { hint: 'the bucket already has as many domains as it may have' })
        : new Fault('domainTaken');
    }
    buckets.forgetDomain(domain);
  }

  /** If no proof is required, nobody has proven anything, and nobody can take over another account's name. */
  async #isProven(domain: string, uid: bigint): Promise<boolean> {
    const { proof, proofKeys, store, lookUpTexts } = this.#deps;
    if (proof === 'none') return false;
    // Moving a name between buckets of one account needs no new proof.
    if ((await store.domainOwner(domain)) === uid) return false;
    const words = proofKeys.map((key) => wordOf(key, uid, domain));
    const found = await lookUpTexts(`${RECORD}.${domain}`);
    if (found.some((text) => words.some((word) => equalBytes(Buffer.from(text), Buffer.from(word)))))
      return true;
    const hint = `publish a TXT record ${RECORD}.${domain} with the text ${words[0]} and bind again`;
    throw new Fault('domainNotProven', { hint });
  }
}

function wordOf(key: Buffer, uid: bigint, domain: string): string {
  return (
    WORD + encodeBase64(createHmac('sha256', key).update(`${uid}\n${domain}`).digest()).replaceAll('=', '')
  );
}

/** `servers` are addresses, with or without a port; if empty, those of the system. */
export function textLookup(servers: readonly string[]): LookUpTexts {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((chunks) => chunks.join(''));
    } catch {
      return [];
    }
  };
}
