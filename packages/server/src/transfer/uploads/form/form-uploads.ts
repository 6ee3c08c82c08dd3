/** Form uploads: token, policy, bytes, object, answer; each checked in the order the API defines. */
import { MemoryReservation } from '@millpond/base';
import { checkKey, chooseName, type Dialect, evaluateScope, Fault } from '@millpond/protocol';
import type { ObjectBlobs } from '../../../platform/small-blobs/index.ts';
import {
  clientNetwork,
  type HttpResponse,
  inPlainText,
  type RequestContext,
} from '../../../platform/web/index.ts';
import { BodyDigest, type DigestedBody } from '../../../storage/objects/index.ts';
import { wholeFile } from '../finished-upload.ts';
import { givenMetadata } from '../given-metadata.ts';
import type { ObjectCreation } from '../object-creation.ts';
import type { UploadResponses } from '../upload-response.ts';
import { assertKeyAllowed, type UploadTokenVerifier, type VerifiedUploadToken } from '../upload-token.ts';
import { PreTokenBudget, UploadedFile } from './file-sink.ts';
import { type Form, type FormFields, readForm } from './upload-form-reader.ts';

export interface FormUploadDeps {
  readonly permits: UploadTokenVerifier;
  readonly creation: ObjectCreation;
  readonly answers: UploadResponses;
  readonly blobs: ObjectBlobs;
  readonly dialect: Dialect;
}

export interface UploadOptions {
  readonly maxObjectSize: number;
  readonly lateTokenMemory: number;
}

export class FormUploads {
  readonly #deps: FormUploadDeps;
  readonly #permit: UploadTokenVerifier;
  readonly #maxObjectSize: number;
  readonly #late: PreTokenBudget;

  constructor(deps: FormUploadDeps, options: UploadOptions) {
    this.#deps = deps;
    this.#permit = deps.permits;
    this.#maxObjectSize = options.maxObjectSize;
    this.#late = new PreTokenBudget(options.lateTokenMemory);
  }

  /** Bytes of files and fields that wait in memory for their token. */
  get waitingBytes(): number {
    return this.#late.heldBytes;
  }

  async upload(context: RequestContext): Promise<HttpResponse> {
    const { blobs } = this.#deps;
    const digest = new BodyDigest(this.#maxObjectSize);
    const sender = [clientNetwork(context.peer.address)];
    const late = new MemoryReservation(this.#late, sender, 0);
    const file = new UploadedFile({ blobs, digest, late, signal: context.cancel });
    const fields = new Map<string, string>();
    let permit: VerifiedUploadToken | undefined;
    try {
      const form = await readForm(
        context.request,
        fields,
        async () => {
          if (fields.has('token')) permit = await this.#admit(fields, file, context);
          return file;
        },
        new MemoryReservation(this.#late, sender),
        context.tooSlow,
      );
      permit ??= await this.#admit(form.fields, file, context);
      const response = await this.#create(permit, form, file, digest.finish(), context);
      return isPlainText(fields) ? inPlainText(response) : response;
    } catch (error) {
      context.answersInPlainText = isPlainText(fields);
      await file.abort();
      throw error;
    }
  }

  async #admit(
    fields: FormFields,
    file: UploadedFile,
    context: RequestContext,
  ): Promise<VerifiedUploadToken> {
    const permit = await this.#permit(fields.get('token'), context.peer.address);
    this.#deps.answers.check(permit);
    assertKeyInScope(permit, clientKey(fields));
    context.acceptBody();
    await file.permit(permit);
    return permit;
  }

  #create(
    permit: VerifiedUploadToken,
    form: Form,
    file: UploadedFile,
    digestedBody: DigestedBody,
    context: RequestContext,
  ): Promise<HttpResponse> {
    checkCrc32(form.fields.get('crc32'), digestedBody);
    const { metaPrefix } = this.#deps.dialect;
    const stored = file.end();
    return this.#deps.creation.create({
      permit,
      context,
      store: () => file.finish(),
      finished: {
        ...wholeFile(stored, digestedBody),
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
function assertKeyInScope(permit: VerifiedUploadToken, key: string | undefined): void {
  // It may still come, after the file.
  if (key === undefined) return;
  const name = chooseName(permit.policy, key);
  if (name.from !== 'client') return;
  if (evaluateScope(permit.policy, name.key, 'form').allowed === false) throw new Fault('scopeMismatch');
  assertKeyAllowed(permit, name.key);
}

function checkCrc32(field: string | undefined, digestedBody: DigestedBody): void {
  if (field === undefined || field === '') return;
  if (!/^\d{1,10}$/.test(field)) throw new Fault('invalidForm', { hint: 'crc32 must be a decimal number' });
  if (Number(field) !== digestedBody.crc32) throw new Fault('crc32Mismatch');
}
