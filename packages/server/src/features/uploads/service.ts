/** Form uploads: token, policy, bytes, object, answer; each judged in the order the interface gives. */
import {
  allowsMimeType,
  checkKey,
  chooseName,
  DEFAULT_MIME_TYPE,
  decideMimeType,
  detectedMimeType,
  Fault,
  finishName,
  judgeScope,
  mimeOfExtension,
  nameValues,
  sniffMimeType,
  timeValues,
  type UploadPolicy,
} from '@millpond/protocol';
import type { BlobStore } from '../../platform/blobs/index.ts';
import { type Answer, type Call, jsonAnswer } from '../../platform/web/index.ts';
import type { Keyring } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { Objects } from '../objects/index.ts';
import { LateBudget, UploadedFile } from './file-sink.ts';
import { type Form, type FormFields, readForm } from './form.ts';
import { Intake, type Received } from './intake.ts';
import { type Permit, type Permits, permits } from './permit.ts';

export interface UploadParts {
  readonly keyring: Keyring;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly blobs: BlobStore;
}

export interface UploadOptions {
  readonly maxObjectSize: number;
  readonly lateTokenMemory: number;
}

export class Uploads {
  readonly #parts: UploadParts;
  readonly #permit: Permits;
  readonly #maxObjectSize: number;
  readonly #late: LateBudget;

  constructor(parts: UploadParts, options: UploadOptions) {
    this.#parts = parts;
    this.#permit = permits(parts.keyring, parts.buckets);
    this.#maxObjectSize = options.maxObjectSize;
    this.#late = new LateBudget(options.lateTokenMemory);
  }

  async form(call: Call): Promise<Answer> {
    const { blobs } = this.#parts;
    const intake = new Intake(this.#maxObjectSize);
    const file = new UploadedFile({ blobs, intake, late: this.#late, signal: call.cancel });
    let permit: Permit | undefined;
    try {
      const form = await readForm(call.request, async (fields) => {
        if (fields.has('token')) {
          permit = await this.#permit(fields.get('token'));
          judgeKey(permit.policy, clientKey(fields));
          await file.permit(permit);
        }
        return file;
      });
      if (permit === undefined) {
        permit = await this.#permit(form.fields.get('token'));
        judgeKey(permit.policy, clientKey(form.fields));
        await file.permit(permit);
      }
      return await this.#create(permit, form, file, intake.finish());
    } catch (error) {
      await file.abort();
      throw error;
    }
  }

  async #create(permit: Permit, form: Form, file: UploadedFile, received: Received): Promise<Answer> {
    const { policy, bucket } = permit;
    checkCrc32(form.fields.get('crc32'), received);
    if (policy.fsizeMin !== undefined && received.size < policy.fsizeMin) {
      throw new Fault('fileTooSmall', { hint: `at least ${policy.fsizeMin} bytes are asked for` });
    }
    const { key, mimeType, detectedType } = describe(permit, form, received);
    const { allowed, mode } = judgeScope(policy, key, 'form');
    if (!allowed) throw new Fault('scopeMismatch');
    await file.finish();
    const committed = await this.#parts.objects.commit(
      {
        bucketId: bucket.id,
        key,
        blobId: file.blobId,
        segments: [{ id: file.blobId, size: received.size }],
        fsize: received.size,
        hash: received.hash,
        mimeType,
        detectedType,
        storageClass: policy.fileType,
        endUser: policy.endUser,
        meta: undefined,
        deadline: policy.deadline,
      },
      mode,
    );
    return jsonAnswer({ hash: committed.hash, key }, { headers: { 'cache-control': 'no-store' } });
  }
}

function clientKey(fields: FormFields): string | undefined {
  const key = fields.get('key');
  if (key !== undefined) checkKey(key);
  return key;
}

/** As early as it can be told, before the file is read; judged again when everything is known. */
function judgeKey(policy: UploadPolicy, key: string | undefined): void {
  // It may yet come, behind the file.
  if (key === undefined) return;
  const name = chooseName(policy, key);
  if (name.from === 'client' && judgeScope(policy, name.key, 'form').allowed === false)
    throw new Fault('scopeMismatch');
}

interface Description {
  readonly key: string;
  readonly mimeType: string;
  readonly detectedType: string;
}

/** The object's key and types, from the policy, the form and the content. */
function describe({ policy, bucket }: Permit, form: Form, received: Received): Description {
  const sent = clientKey(form.fields);
  const fname = form.file.filename;
  const candidates = {
    client: clientType(policy, form),
    fileExtension: fname === undefined ? undefined : mimeOfExtension(fname),
    keyExtension: sent === undefined ? undefined : mimeOfExtension(sent),
    content: sniffMimeType(received.head),
  };
  const detectedType = detectedMimeType(candidates);
  if (policy.mimeLimit !== undefined && !allowsMimeType(policy.mimeLimit, detectedType))
    throw new Fault('mimeTypeForbidden');
  const mimeType = decideMimeType(policy.detectMime, candidates);
  const key = finishName(
    chooseName(policy, sent),
    {
      ...customVariables(form.fields),
      ...nameValues({ fname, key: sent, mimeType }),
      ...timeValues(Date.now() / 1000),
      bucket: bucket.name,
      etag: received.hash,
      fsize: received.size,
      endUser: policy.endUser,
    },
    received.hash,
  );
  checkKey(key);
  return { key, mimeType, detectedType };
}

/** What an encoder says of a file it knows nothing about says nothing, unless the policy takes the client's word. */
function clientType(policy: UploadPolicy, form: Form): string | undefined {
  const { mimeType } = form.file;
  return mimeType === DEFAULT_MIME_TYPE && policy.detectMime === 0 ? undefined : mimeType;
}

function customVariables(fields: FormFields): Record<string, string> {
  return Object.fromEntries([...fields].filter(([name]) => name.startsWith('x:')));
}

function checkCrc32(field: string | undefined, received: Received): void {
  if (field === undefined || field === '') return;
  if (!/^\d{1,10}$/.test(field)) throw new Fault('invalidForm', { hint: 'crc32 is a decimal number' });
  if (Number(field) !== received.crc32) throw new Fault('crc32Mismatch');
}
