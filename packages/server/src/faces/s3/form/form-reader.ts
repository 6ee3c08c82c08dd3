/**
 * Reads an S3 form as it streams: the fields before the file are held, within AWS's limit, the file's bytes are handed
 * on, and whatever follows the file is read and forgotten.
 */

import { decodeUtf8 } from '@millpond/protocol';
import { type PostFields, S3Fault } from '@millpond/protocol/s3';
import {
  FieldBytes,
  type MultipartEvent,
  type PartHeaders,
  readPartHeaders,
} from '../../../transfer/uploads/index.ts';
import { MAX_S3_FORM_FIELDS_BYTES } from '../../limits.ts';

/** For all fields together, names included: nobody has signed anything yet. So there can't be more of them either. */

export interface FileTaker {
  take(data: Buffer): Promise<void> | undefined;
}

/** Called when the file begins, with the fields before it. */
export type OpenFile = (fields: PostFields, fileName: string) => Promise<FileTaker>;

export class FormReader {
  readonly #openFile: OpenFile;
  readonly #fields = new Map<string, string>();
  #fieldBytes = 0;
  /** The field that is being read. */
  #name: string | undefined;
  #value = new FieldBytes();
  #file: FileTaker | undefined;
  #isFileOver = false;

  constructor(openFile: OpenFile) {
    this.#openFile = openFile;
  }

  /** A promise means: wait before the next ones. */
  takeAll(events: readonly MultipartEvent[], from = 0): Promise<void> | undefined {
    for (const [at, event] of events.entries()) {
      const taken = at < from ? undefined : this.#take(event);
      if (taken !== undefined) return taken.then(() => this.takeAll(events, at + 1));
    }
    return undefined;
  }

  /** Throws unless there was a file. */
  finish(): void {
    if (!this.#isFileOver)
      throw new S3Fault('InvalidArgument', {
        message: 'POST requires exactly one file upload per request.',
        details: { ArgumentName: 'file', ArgumentValue: '0' },
      });
  }

  #take(event: MultipartEvent): Promise<void> | undefined {
    if (this.#isFileOver) return undefined;
    switch (event.kind) {
      case 'part':
        return this.#begin(readPartHeaders(event.headers));
      case 'data':
        if (this.#file !== undefined) return this.#file.take(event.bytes);
        this.#count(event.bytes.length);
        this.#value.append(event.bytes);
        return undefined;
      case 'end':
        this.#end();
        return undefined;
    }
  }

  #begin({ name, filename }: PartHeaders): Promise<void> | undefined {
    const lower = name.toLowerCase();
    this.#count(Buffer.byteLength(name));
    if (lower !== 'file') {
      // Which of two counts would be a matter of opinion, and a condition might have seen the other.
      if (this.#fields.has(lower))
        throw malformed(`the field ${JSON.stringify(lower.slice(0, 40))} is given twice`);
      this.#name = lower;
      return undefined;
    }
    return this.#openFile(this.#fields, filename ?? '').then((file) => {
      this.#file = file;
    });
  }

  #end(): void {
    if (this.#file !== undefined) this.#isFileOver = true;
    if (this.#file !== undefined || this.#name === undefined) return;
    const value = decodeUtf8(Buffer.concat(this.#value.chunks()));
    if (value === undefined)
      throw malformed(`the field ${JSON.stringify(this.#name.slice(0, 40))} is not UTF-8`);
    this.#fields.set(this.#name, value);
    this.#name = undefined;
    this.#value = new FieldBytes();
  }

  #count(bytes: number): void {
    this.#fieldBytes += bytes;
    if (this.#fieldBytes > MAX_S3_FORM_FIELDS_BYTES)
      throw new S3Fault('MaxPostPreDataLengthExceeded', {
        hint: `at most ${MAX_S3_FORM_FIELDS_BYTES} bytes`,
      });
  }
}

function malformed(hint: string): S3Fault {
  return new S3Fault('MalformedPOSTRequest', { hint });
}
