/**
 * Where an uploaded file goes while it arrives. With a permit its bytes go to the blob store. A file that arrives
 * before its token is held in memory, within a budget: nobody without a token may fill the store.
 */
import { MemoryBudget, type MemoryReservation } from '@millpond/base';
import { Fault, tierOfClass } from '@millpond/protocol';
import type { BodyWriter, ObjectBlobs, StoredBody } from '../../../platform/small-blobs/index.ts';
import type { BodyDigest } from '../../../storage/objects/index.ts';
import { LATE_TOKEN_BYTES } from '../../limits.ts';
import { Throttle } from '../throttle.ts';
import type { VerifiedUploadToken } from '../upload-token.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { FileSink } from './upload-form-reader.ts';

/** Memory for files and long fields still without a token, shared by all uploads of the process. */
export class PreTokenBudget extends MemoryBudget {
  constructor(bytes: number) {
    super(bytes, 'put the token before the file, or try again later');
  }
}

export class UploadedFile implements FileSink {
  readonly #blobs: Pick<ObjectBlobs, 'openBody'>;
  readonly #intake: BodyDigest;
  readonly #late: MemoryReservation;
  readonly #signal: AbortSignal;
  #body: BodyWriter | undefined;
  #held = new ByteBuffer();
  #throttle: Throttle | undefined;

  constructor(parts: {
    blobs: Pick<ObjectBlobs, 'openBody'>;
    digest: BodyDigest;
    late: MemoryReservation;
    signal: AbortSignal;
  }) {
    this.#blobs = parts.blobs;
    this.#intake = parts.digest;
    this.#late = parts.late;
    this.#signal = parts.signal;
  }

  /** From here on bytes go to the store; held bytes go first. */
  async permit({ policy }: Pick<VerifiedUploadToken, 'policy'>): Promise<void> {
    if (policy.fsizeLimit !== undefined) this.#intake.lowerLimit(policy.fsizeLimit);
    if (policy.trafficLimit !== undefined) this.#throttle = new Throttle(policy.trafficLimit);
    const tier = tierOfClass(policy.fileType);
    const writer = this.#blobs.openBody({ tier, signal: this.#signal, freeChunks: true });
    this.#body = writer;
    for (const chunk of this.#held.chunks()) await writer.write(chunk);
    this.#release();
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#intake.update(chunk);
    if (this.#body !== undefined) return this.#pass(chunk, this.#body);
    if (this.#held.length + chunk.length > LATE_TOKEN_BYTES) {
      throw new Fault('invalidForm', {
        hint: 'put the token before the file: it may follow only files up to 8 MiB',
      });
    }
    this.#late.acquire(chunk.length);
    this.#held.append(chunk);
    return undefined;
  }

  #pass(chunk: Buffer, writer: BodyWriter): Promise<void> | undefined {
    const { length } = chunk;
    const written = writer.write(chunk);
    const due = this.#throttle?.take(length, this.#signal);
    if (written === undefined || due === undefined) return written ?? due;
    return Promise.all([written, due]).then(() => undefined);
  }

  /** All bytes have arrived: says which blob they are. */
  end(): StoredBody {
    return this.#permitted().end();
  }

  /** The bytes are durable when this resolves, except those of a small blob, which are to be committed. */
  async finish(): Promise<void> {
    await this.#permitted().finish();
  }

  async abort(): Promise<void> {
    this.#release();
    await this.#body?.abort();
  }

  #permitted(): BodyWriter {
    if (this.#body === undefined) throw new Error('an upload without permit has nothing to finish');
    return this.#body;
  }

  #release(): void {
    this.#late.release();
    this.#held = new ByteBuffer();
  }
}
