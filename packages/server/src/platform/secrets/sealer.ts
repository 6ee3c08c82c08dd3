/**
 * Secrets at rest: each has its own data key (AES-256-GCM), wrapped by a master key that is not in the database. The owner of a
 * secret is authenticated with it, so a sealed value moved to another row does not open. Rotation re-wraps only the data key;
 * the secret itself is never decrypted for that.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface MasterKey {
  readonly id: string;
  readonly key: Buffer;
}

export interface SealedSecret {
  readonly bytes: Buffer;
  readonly masterKey: string;
}

export class SealError extends Error {}

const IV = 12;
const TAG = 16;
const DATA_KEY = 32;
const WRAPPED = IV + DATA_KEY + TAG;

export function parseMasterKeys(texts: readonly string[]): MasterKey[] {
  const keys = texts.map((text, index) => {
    const colon = text.indexOf(':');
    const id = text.slice(0, colon);
    const key = Buffer.from(text.slice(colon + 1), 'base64');
    if (colon < 1 || !/^[A-Za-z0-9._-]{1,64}$/.test(id) || key.length !== DATA_KEY) {
      throw new SealError(`master key ${index + 1} must be written id:base64 of exactly ${DATA_KEY} bytes`);
    }
    return { id, key };
  });
  if (new Set(keys.map((key) => key.id)).size !== keys.length)
    throw new SealError('two master keys have the same id');
  return keys;
}

export class Sealer {
  readonly #keys: ReadonlyMap<string, MasterKey>;
  readonly #current: MasterKey;

  /** The first key seals; all of them open. */
  constructor(keys: readonly MasterKey[]) {
    const [current] = keys;
    if (current === undefined) throw new SealError('there is no master key');
    this.#current = current;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  get currentMasterKey(): string {
    return this.#current.id;
  }

  has(masterKey: string): boolean {
    return this.#keys.has(masterKey);
  }

  seal(secret: string, belongsTo: string): SealedSecret {
    const dataKey = randomBytes(DATA_KEY);
    const body = encrypt(dataKey, Buffer.from(secret), belongsTo);
    const wrapped = encrypt(this.#current.key, dataKey, belongsTo);
    return { bytes: Buffer.concat([wrapped, body]), masterKey: this.#current.id };
  }

  open(sealed: SealedSecret, belongsTo: string): string {
    const dataKey = this.#dataKey(sealed, belongsTo);
    return decrypt(dataKey, sealed.bytes.subarray(WRAPPED), belongsTo).toString();
  }

  /** The same secret under the current master key. */
  rewrap(sealed: SealedSecret, belongsTo: string): SealedSecret {
    const wrapped = encrypt(this.#current.key, this.#dataKey(sealed, belongsTo), belongsTo);
    return { bytes: Buffer.concat([wrapped, sealed.bytes.subarray(WRAPPED)]), masterKey: this.#current.id };
  }

  /** A key for another purpose from each master key, the current one first. */
  deriveKeys(purpose: string): Buffer[] {
    return [...this.#keys.values()].map((master) =>
      Buffer.from(hkdfSync('sha256', master.key, '', purpose, DATA_KEY)),
    );
  }

  #dataKey(sealed: SealedSecret, belongsTo: string): Buffer {
    const master = this.#keys.get(sealed.masterKey);
    if (master === undefined) throw new SealError(`master key "${sealed.masterKey}" is not configured`);
    return decrypt(master.key, sealed.bytes.subarray(0, WRAPPED), belongsTo);
  }
}

function encrypt(key: Buffer, plain: Buffer, belongsTo: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(belongsTo));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, belongsTo: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
      .setAAD(Buffer.from(belongsTo))
      .setAuthTag(sealed.subarray(sealed.length - TAG));
    return Buffer.concat([decipher.update(sealed.subarray(IV, sealed.length - TAG)), decipher.final()]);
  } catch {
    // The cause is left out on purpose: nothing about key material belongs in a log.
    throw new SealError(
      'a sealed secret cannot be opened: the master key is wrong, or the secret was moved or changed',
    );
  }
}
