/** Form uploads: token, policy, bytes, object, answer; each checked in the order the API defines. */
import { MemoryShare } from '@millpond/base';
import { checkKey, chooseName, type Dialect, Fault, judgeScope } from '@millpond/protocol';
import type { ObjectBlobs } from '../../../platform/small-blobs/index.ts';
import { type Answer, type Call, inPlainText, networkOf } from '../../../platform/web/index.ts';
import { Intake, type Received } from '../../../storage/objects/index.ts';
import { wholeFile } from '../finished-upload.ts';
import { givenMetadata } from '../given-metadata.ts';
import type { ObjectCreation } from '../object-creation.ts';
import { type Permit, type Permits, refuseKey } from '../permit.ts';
import type { UploadAnswers } from '../uploads.answers.ts';
import { LateBudget, UploadedFile } from './file-sink.ts';
import { type Form, type FormFields, readForm } from './form.ts';

export interface FormUploadDeps {
  readonly permits: Permits;
  readonly creation: ObjectCreation;
  readonly answers: UploadAnswers;
  readonly blobs: ObjectBlobs;
  readonly dialect: Dialect;
}

export interface UploadOptions {
  readonly maxObjectSize: number;
  readonly lateTokenMemory: number;
}

export class FormUploads {
  readonly #deps: FormUploadDeps;
  readonly #permit: Permits;
  readonly #maxObjectSize: number;
  readonly #late: LateBudget;

  constructor(deps: FormUploadDeps, options: UploadOptions) {
    this.#deps = deps;
    this.#permit = deps.permits;
    this.#maxObjectSize = options.maxObjectSize;
    this.#late = new LateBudget(options.lateTokenMemory);
  }

  /** Bytes of files and fields that wait in memory for their token. */
  get waitingBytes(): number {
    return this.#late.heldBytes;
  }

  async upload(call: Call): Promise<Answer> {
    const { blobs } = this.#deps;
    const intake = new Intake(this.#maxObjectSize);
    const sender = [networkOf(call.peer.address)];
    const late = new MemoryShare(this.#late, sender, 0);
    const file = new UploadedFile({ blobs, intake, late, signal: call.cancel });
    const fields = new Map<string, string>();
    let permit: Permit | undefined;
    try {
      const form = await readForm(
        call.request,
        fields,
        async () => {
          if (fields.has('token')) permit = await this.#admit(fields, file, call);
          return file;
        },
        new MemoryShare(this.#late, sender),
        call.tooSlow,
      );
      permit ??= await this.#admit(form.fields, file, call);
      const answer = await this.#create(permit, form, file, intake.finish(), call);
      return isPlainText(fields) ? inPlainText(answer) : answer;
    } catch (error) {
      call.answersInPlainText = isPlainText(fields);
      await file.abort();
      throw error;
    }
  }

  async #admit(fields: FormFields, file: UploadedFile, call: Call): Promise<Permit> {
    const permit = await this.#permit(fields.get('token'), call.peer.address);
    this.#deps.answers.check(permit);
    judgeKey(permit, clientKey(fields));
    call.acceptBody();
    await file.permit(permit);
    return permit;
  }

  #create(permit: Permit, form: Form, file: UploadedFile, received: Received, call: Call): Promise<Answer> {
    checkCrc32(form.fields.get('crc32'), received);
    const { metaPrefix } = this.#deps.dialect;
    const stored = file.end();
    return this.#deps.creation.create({
      permit,
      call,
      store: () => file.finish(),
      finished: {
        ...wholeFile(stored, received),
        key: clientKey(form.fields),
        fileName: form.file.filename,
        mimeType: form.file.mimeType,
        customVariables: Object.fromEntries(
          [...form.fields].filter(([name]) => name.toLowerCase().startsWith('x:')),
        ),
        metadata: givenMetadata(form.fields, metaPrefix),
      },
    });
  }
}

/** No other type can be requested. */
function isPlainText(fields: FormFields): boolean {
  return fields.get('accept') === 'text/plain';
}

function clientKey(fields: FormFields): string | undefined {
  const key = fields.get('key');
  if (key !== undefined) checkKey(key);
  return key;
}

/** As early as possible, before the file is read; checked again when everything is known. */
function judgeKey(permit: Permit, key: string | undefined): void {
  // It may still come, after the file.
  if (key === undefined) return;
  const name = chooseName(permit.policy, key);
  if (name.from !== 'client') return;
  if (judgeScope(permit.policy, name.key, 'form').allowed === false) throw new Fault('scopeMismatch');
  refuseKey(permit, name.key);
}

function checkCrc32(field: string | undefined, received: Received): void {
  if (field === undefined || field === '') return;
  if (!/^\d{1,10}$/.test(field)) throw new Fault('invalidForm', { hint: 'crc32 must be a decimal number' });
  if (Number(field) !== received.crc32) throw new Fault('crc32Mismatch');
}
