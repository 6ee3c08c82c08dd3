/**
 * Reads a form as it streams: text fields in any order and one file, all within limits. A body that ends early, or
 * exceeds a limit, is a fault; nothing is truncated silently.
 */

import type { IncomingMessage } from 'node:http';
import type { MemoryReservation } from '@millpond/base';
import { decodeUtf8, Fault } from '@millpond/protocol';
import { readBody } from '../../../platform/web/index.ts';
import { MAX_FORM_FIELDS, MAX_FORM_FIELDS_BYTES } from '../../limits.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { type MultipartEvent, MultipartParser } from './form-parser.ts';
import { type PartHeaders, readPartHeaders } from './part-headers.ts';

export type FormFields = ReadonlyMap<string, string>;

/** Takes the file's bytes. If it returns a promise, wait for it before the next chunk. */
export interface FileSink {
  write(chunk: Buffer): Promise<void> | undefined;
}

export interface Form {
  readonly fields: FormFields;
  readonly file: PartHeaders;
}

/** Called when the file starts, with the fields that came before it; decides where its bytes go. */
export type OpenFile = (fields: FormFields) => Promise<FileSink>;

/** Resolves when the whole form has been read and its file taken. `fields` has the fields read so far, even if it rejects. */
export async function readForm(
  request: IncomingMessage,
  fields: Map<string, string>,
  openFile: OpenFile,
  share: MemoryReservation,
  cancel?: AbortSignal,
): Promise<Form> {
  const parser = new MultipartParser(boundaryOf(request.headers['content-type'] ?? ''));
  const reader = new FormReader(fields, openFile, share);
  try {
    await readBody(request, (chunk) => reader.takeAll(parser.push(chunk)), cancel);
  } catch (error) {
    if (error instanceof Fault || !request.errored) throw error;
    throw new Fault('invalidForm', { hint: 'the request ended early', cause: error });
  } finally {
    share.release();
  }
  parser.finish();
  return reader.form();
}

export function boundaryOf(contentType: string): string {
  if ((contentType.match(/;[ \t]*boundary=/gi) ?? []).length > 1)
    throw invalid('the boundary is given twice in the Content-Type');
  const match = /^multipart\/form-data[ \t]*;(?:.*;)?[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType,
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('the Content-Type must be multipart/form-data with a boundary');
  return boundary;
}

class FormReader {
  readonly #openFile: OpenFile;
  /** Memory for data that no token covers yet; undefined once there is one. */
  #share: MemoryReservation | undefined;
  readonly #fields: Map<string, string>;
  #fieldBytes = 0;
  #part: PartHeaders | undefined;
  #value = new ByteBuffer();
  #file: PartHeaders | undefined;
  #isFileEmpty = true;
  #sink: FileSink | undefined;

  constructor(fields: Map<string, string>, openFile: OpenFile, share: MemoryReservation) {
    this.#fields = fields;
    this.#openFile = openFile;
    this.#share = share;
  }

  takeAll(events: readonly MultipartEvent[], from = 0): Promise<void> | undefined {
    for (const [at, event] of events.entries()) {
      const taken = at < from ? undefined : this.#take(event);
      if (taken !== undefined) return taken.then(() => this.takeAll(events, at + 1));
    }
    return undefined;
  }

  #take(event: MultipartEvent): Promise<void> | undefined {
    switch (event.kind) {
      case 'part':
        return this.#begin(readPartHeaders(event.headers));
      case 'data':
        if (this.#sink !== undefined && this.#part === this.#file) {
          this.#isFileEmpty = false;
          return this.#sink.write(event.bytes);
        }
        this.#hold(event.bytes);
        return undefined;
      case 'end':
        this.#end();
        return undefined;
    }
  }

  form(): Form {
    if (this.#file === undefined) throw invalid('there is no field "file"');
    return { fields: this.#fields, file: this.#file };
  }

  #begin(part: PartHeaders): Promise<void> | undefined {
    this.#part = part;
    if (part.name !== 'file') {
      if (part.filename !== undefined) throw invalid('there must be one file, in the field "file"');
      if (this.#fields.has(part.name)) throw invalid(`the field ${printable(part.name)} is given twice`);
      if (this.#fields.size === MAX_FORM_FIELDS)
        throw invalid(`there are more than ${MAX_FORM_FIELDS} fields`);
      return undefined;
    }
    if (this.#file !== undefined) throw invalid('there is more than one file');
    this.#file = part;
    return this.#openFile(this.#fields).then((sink) => {
      this.#sink = sink;
      if (!this.#fields.has('token')) return;
      this.#share?.release();
      this.#share = undefined;
    });
  }

  #hold(bytes: Buffer): void {
    this.#fieldBytes += bytes.length;
    if (this.#fieldBytes > MAX_FORM_FIELDS_BYTES)
      throw invalid(`the fields have more than ${MAX_FORM_FIELDS_BYTES} bytes`);
    this.#share?.acquire(bytes.length);
    this.#value.append(bytes);
  }

  #end(): void {
    const part = this.#part;
    if (part === undefined) return;
    if (part === this.#file) {
      // What browsers send for a file input in which nothing was chosen.
      if (part.filename === '' && this.#isFileEmpty)
        throw invalid('the field "file" has no file: choose one');
      return;
    }
    const value = decodeUtf8(Buffer.concat(this.#value.chunks()));
    this.#value = new ByteBuffer();
    if (value === undefined)
      throw part.name === 'key'
        ? new Fault('keyNotUtf8')
        : invalid(`the field ${printable(part.name)} is not UTF-8`);
    this.#fields.set(part.name, value);
  }
}

function invalid(hint: string): Fault {
  return new Fault('invalidForm', { hint });
}

function printable(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
