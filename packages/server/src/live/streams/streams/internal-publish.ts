/**
 * Streams of devices, which the server itself publishes. In a namespace of devices nobody else may publish: the secret
 * shown to the engine is new each time, known only to the publishing process, and useless once the feed is closed.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { FeedStore } from './feed.store.ts';
import { newSealedKey } from './streams.ts';

export interface InternalPublish {
  /** Where to publish, including the secret: never log it. */
  readonly url: string;
  close(): Promise<void>;
}

export interface InternalPublishDeps {
  readonly store: FeedStore;
  readonly sealer: Sealer;
  /** `rtmp://host/live`. */
  readonly rtmpUrl: string;
}

export class Feeds {
  readonly #deps: InternalPublishDeps;

  constructor(deps: InternalPublishDeps) {
    this.#deps = deps;
  }

  /** Creates streams, so that they can be viewed, recorded and photographed before they are first published. */
  async make(nsId: string, streamIds: readonly string[]): Promise<void> {
    const { store, sealer } = this.#deps;
    const keys = streamIds.map((streamId) => newSealedKey(sealer, { nsId, streamId }));
    await store.make(nsId, streamIds, keys);
  }

  /** Those of a device that is removed in this transaction: nobody may publish them any more, and they go. */
  async end(transaction: Transaction, nsId: string, gbid: string): Promise<void> {
    await this.#deps.store.end(transaction, nsId, gbid);
  }

  /** Undefined if its device is gone. */
  async open(address: StreamAddress): Promise<InternalPublish | undefined> {
    const { store, sealer, rtmpUrl } = this.#deps;
    const proof = randomBytes(24).toString('base64url');
    const hash = hashOf(proof);
    if (!(await store.open(address, newSealedKey(sealer, address), hash))) return undefined;
    return {
      url: `${rtmpUrl}/${engineName(address)}?key=${proof}`,
      close: () => store.close(address, hash),
    };
  }
}

/** Both sides are hashes of random values, so the timing of the comparison reveals nothing. */
export function verifyFeedSecret(hash: Buffer, shown: string): boolean {
  return hash.equals(hashOf(shown));
}

function hashOf(proof: string): Buffer {
  return createHash('sha256').update(proof).digest();
}
