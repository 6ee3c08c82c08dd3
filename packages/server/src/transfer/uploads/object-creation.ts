/** From a finished upload to its object and answer: the same for forms, parts and blocks. */
import { type Dialect, Fault, type Fop, renderTemplate } from '@millpond/protocol';
import type { PreparedTasks, TaskRequest, UploadTriggers } from '../../media/processing/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { HttpResponse, RequestContext } from '../../platform/web/index.ts';
import type { CommitHook, Objects } from '../../storage/objects/index.ts';
import type { FinishedUpload } from './finished-upload.ts';
import { describeObject, type ObjectDescription } from './object-description.ts';
import type { AnswerSource, UploadResponses } from './upload-response.ts';
import {
  assertCommandsAllowed,
  assertKeyAllowed,
  limitOnReplacing,
  type VerifiedUploadToken,
} from './upload-token.ts';
import { plainValues } from './variables.ts';

export interface CreationDeps {
  readonly objects: Objects;
  readonly answers: UploadResponses;
  readonly uploadTriggers: UploadTriggers;
  readonly dialect: Dialect;
}

/** An upload whose object is created in the same transaction. */
export interface CreatedObject {
  /** False if an identical object already existed. */
  readonly written: boolean;
  readonly key: string;
  readonly putTime: bigint;
  readonly told: AnswerSource;
}

export interface Upload {
  readonly permit: VerifiedUploadToken;
  readonly finished: FinishedUpload;
  readonly context: RequestContext;
  /** Makes the bytes durable; called after everything that can be refused without them has been checked. */
  readonly store: () => Promise<void>;
  /** Changes rows together with the object: parts that become its segments. */
  readonly onCommit?: (transaction: Transaction, createdObject: CreatedObject) => Promise<void>;
}

export class ObjectCreation {
  readonly #deps: CreationDeps;

  constructor(deps: CreationDeps) {
    this.#deps = deps;
  }

  async create(upload: Upload): Promise<HttpResponse> {
    const { permit } = upload;
    if (permit.policy.callbackFetchKey) return this.#nameByCallback(upload);
    const description = describeObject(permit, upload.finished, this.#deps);
    const { persistentId, onCommit } = await this.#arrival(upload, description);
    await upload.store();
    const preparedAnswer = await this.#deps.answers.prepare({ ...upload, description, persistentId });
    await this.#commit(upload, description, preparedAnswer.told, both(onCommit, preparedAnswer.onCommit));
    return preparedAnswer.answer();
  }

  /** The only case in which the receiver is asked before the object exists: it decides the key. */
  async #nameByCallback(upload: Upload): Promise<HttpResponse> {
    const unnamed = { ...upload.permit, policy: withoutScopeKey(upload.permit) };
    const provisional = describeObject(unnamed, upload.finished, this.#deps);
    await upload.store();
    const asked = { ...upload, description: provisional, persistentId: undefined };
    const { key, answer } = await this.#deps.answers.fetchKey(asked);
    if (key === undefined) return answer;
    const description = describeObject(upload.permit, upload.finished, { ...this.#deps, givenKey: key });
    const { onCommit } = await this.#arrival(upload, description);
    await this.#commit(upload, description, { answer }, onCommit);
    return answer;
  }

  /** The key is final: here it is held against the limits of the access key, before the bytes are stored if possible. */
  #arrival(upload: Upload, { key, ...description }: ObjectDescription): Promise<PreparedTasks> {
    const { permit, context } = upload;
    assertKeyAllowed(permit, key);
    const { bucket } = permit;
    const { accessKey } = permit.key;
    const values = () => plainValues(permit, upload.finished, { key, ...description });
    const asked = taskRequest(permit, context.reqid, (template) => renderTemplate(template, values()));
    const request = asked && {
      ...asked,
      check: (commands: readonly Fop[]) => assertCommandsAllowed(permit, commands),
    };
    return this.#deps.uploadTriggers.prepare({ bucket, key, accessKey, reqid: context.reqid }, request);
  }

  async #commit(
    { permit, finished, onCommit }: Upload,
    description: ObjectDescription,
    told: AnswerSource,
    more: CommitHook | undefined,
  ): Promise<void> {
    const { policy, bucket } = permit;
    const { key } = description;
    const { mode, refusal } = modeWithin(permit, description);
    const committed = this.#deps.objects.commit(
      {
        bucketId: bucket.id,
        key,
        blobId: finished.blobId,
        segments: finished.segments,
        fsize: finished.size,
        inline: finished.inline,
        hash: finished.hash,
        mimeType: description.mimeType,
        detectedType: description.detectedType,
        storageClass: policy.fileType,
        endUser: policy.endUser,
        meta: description.meta,
        headers: description.headers,
        deadline: policy.deadline,
        expiresAt: description.expiresAt,
        rowsNameBytes: finished.way !== 'form',
        way: finished.way,
        tier: finished.tier,
      },
      mode,
      both(onCommit && ((transaction, outcome) => onCommit(transaction, { ...outcome, key, told })), more),
    );
    await committed.catch((error: unknown) => {
      if (refusal === undefined || !(error instanceof Fault) || error.fault !== 'fileExists') throw error;
      throw new Fault('keyLimited', { hint: `the object exists, and ${refusal}` });
    });
  }
}

/** A key that may write but not delete creates objects and replaces none, whatever its token says. */
function modeWithin(
  permit: VerifiedUploadToken,
  { key, mode }: ObjectDescription,
): { mode: ObjectDescription['mode']; refusal?: string } {
  const refusal = mode === 'overwrite' ? limitOnReplacing(permit, key) : undefined;
  return refusal === undefined ? { mode } : { mode: 'insert', refusal };
}

function both(one: CommitHook | undefined, two: CommitHook | undefined): CommitHook | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return async (transaction, outcome) => {
    await one(transaction, outcome);
    await two(transaction, outcome);
  };
}

/** The task that the policy requests for the object; undefined if it requests none. */
function taskRequest(
  { policy, key }: VerifiedUploadToken,
  reqid: string,
  render: (template: NonNullable<VerifiedUploadToken['policy']['persistentOps']>) => string,
): TaskRequest | undefined {
  const { persistentOps, persistentWorkflowTemplateID } = policy;
  if (persistentOps === undefined && persistentWorkflowTemplateID === undefined) return undefined;
  return {
    uid: key.uid,
    accessKey: key.accessKey,
    fops: persistentOps && render(persistentOps),
    workflow: persistentWorkflowTemplateID,
    isIdle: policy.persistentType === 1,
    pipeline: policy.persistentPipeline,
    isForced: policy.persistentOpsForce,
    notifyUrl: policy.persistentNotifyUrl,
    reqid,
  };
}

/** Before the key is known, everything but the key is checked. */
function withoutScopeKey({ policy }: VerifiedUploadToken): VerifiedUploadToken['policy'] {
  return { ...policy, scope: { ...policy.scope, key: undefined }, keylimit: undefined };
}
