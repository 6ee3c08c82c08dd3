/**
 * Passwords as argon2id (19 MiB, 2 passes), in a PHC string. An attacker can make us hash, so at most two hashes run at a
 * time and few wait; further callers are told to retry later.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from '@millpond/protocol';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const AT_A_TIME = 2;
const MOST_WAITING = 32;
const MOST_BYTES = 1024;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;

/** Compared against if there is no account, so that an unknown e-mail costs as much as a wrong password. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export class Passwords {
  readonly #leastCharacters: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ leastCharacters }: { readonly leastCharacters: number }) {
    this.#leastCharacters = leastCharacters;
  }

  /** Only new passwords must meet the rules: older ones still work. */
  async hashNew(password: string): Promise<string> {
    if (Buffer.byteLength(password) > MOST_BYTES)
      throw new Fault('badRequest', { hint: `a password may have at most ${MOST_BYTES} bytes` });
    // Unicode characters: neither bytes nor surrogate halves make a password harder to guess.
    if (Array.from(password).length < this.#leastCharacters)
      throw new Fault('badRequest', {
        hint: `a password must have at least ${this.#leastCharacters} characters`,
      });
    const salt = randomBytes(16);
    const tag = await this.#run(password, salt, MEMORY_KIB, PASSES);
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** False, after the same work, if there is no hash to compare with. */
  async matches(password: string, phc: string | undefined): Promise<boolean> {
    const [, memory, passes, salt = '', tag = ''] = PHC.exec(phc ?? NOBODY) ?? [];
    if (memory === undefined) throw new Error('a stored password hash is not one of ours');
    const computed = await this.#run(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes));
    return timingSafeEqual(computed, Buffer.from(tag, 'base64')) && phc !== undefined;
  }

  async #run(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
    await this.#enter();
    try {
      return await new Promise((resolve, reject) => {
        const options = { message: password, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes };
        argon2('argon2id', options, (error, tag) => (error ? reject(error) : resolve(tag)));
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < AT_A_TIME) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      throw new Fault('failedRequest', { hint: 'too many logins at once', retryAfterSeconds: 2 });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The slot passes directly to the longest waiter; if it were free for a moment, a newcomer could take it too. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
