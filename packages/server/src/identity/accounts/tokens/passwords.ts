/**
 * Passwords as argon2id (19 MiB, 2 passes), in a PHC string. An attacker can make us hash, so at most two hashes run at a
 * time and few wait; further callers are told to retry later. Where many of those who wait are of one network, the last of them
 * gives its place to a caller from another.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from '@millpond/protocol';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const MAX_CONCURRENT = 2;
const MAX_WAITING = 32;
const MAX_BYTES = 1024;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;

/** Compared against if there is no account, so that an unknown e-mail costs as much as a wrong password. */
const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

interface Waiter {
  readonly network: string;
  readonly start: () => void;
  readonly refuse: (reason: Fault) => void;
}

export class Passwords {
  readonly #leastCharacters: number;
  #running = 0;
  readonly #waiting: Waiter[] = [];

  constructor({ minCharacters }: { readonly minCharacters: number }) {
    this.#leastCharacters = minCharacters;
  }

  /** Only new passwords must meet the rules: older ones still work. */
  async hashNew(password: string, network: string): Promise<string> {
    if (Buffer.byteLength(password) > MAX_BYTES)
      throw new Fault('badRequest', { hint: `a password may have at most ${MAX_BYTES} bytes` });
    // Unicode characters: neither bytes nor surrogate halves make a password harder to guess.
    if (Array.from(password).length < this.#leastCharacters)
      throw new Fault('badRequest', {
        hint: `a password must have at least ${this.#leastCharacters} characters`,
      });
    const salt = randomBytes(16);
    const tag = await this.#run(password, salt, [MEMORY_KIB, PASSES], network);
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** False, after the same work, if there is no hash to compare with. */
  async matches(password: string, phc: string | undefined, network: string): Promise<boolean> {
    const [, memory, passes, salt = '', tag = ''] = PHC.exec(phc ?? DUMMY_HASH) ?? [];
    if (memory === undefined) throw new Error('a stored password hash is not one of ours');
    const cost = [Number(memory), Number(passes)] as const;
    const computed = await this.#run(password, Buffer.from(salt, 'base64'), cost, network);
    return timingSafeEqual(computed, Buffer.from(tag, 'base64')) && phc !== undefined;
  }

  async #run(
    password: string,
    nonce: Buffer,
    [memory, passes]: readonly [memory: number, passes: number],
    network: string,
  ): Promise<Buffer> {
    await this.#enter(network);
    try {
      return await new Promise((resolve, reject) => {
        const options = { message: password, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes };
        argon2('argon2id', options, (error, tag) => (error ? reject(error) : resolve(tag)));
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(network: string): Promise<void> {
    if (this.#running < MAX_CONCURRENT) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) this.#makeRoom(network);
    await new Promise<void>((start, refuse) => this.#waiting.push({ network, start, refuse }));
  }

  /** Throws if those who wait are shared out fairly. */
  #makeRoom(network: string): void {
    const waiting = new Map<string, number>();
    for (const each of this.#waiting) waiting.set(each.network, (waiting.get(each.network) ?? 0) + 1);
    const [largest = '', count = 0] = [...waiting].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    if (count <= (waiting.get(network) ?? 0) + 1) throw tooMany();
    const [last] = this.#waiting.splice(
      this.#waiting.findLastIndex((each) => each.network === largest),
      1,
    );
    last?.refuse(tooMany());
  }

  /** The slot passes directly to the longest waiter; if it were free for a moment, a newcomer could take it too. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next.start();
  }
}

function tooMany(): Fault {
  return new Fault('failedRequest', { hint: 'too many logins at once', retryAfterSeconds: 2 });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
