/** From a finished upload to its object and answer: the same for forms, parts and blocks. */
import { type Dialect, Fault, type Fop, renderTemplate } from '@millpond/protocol';
import type { Arrivals, Prepared, TaskRequest } from '../../media/processing/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { Answer, Call } from '../../platform/web/index.ts';
import type { AlsoCommit, Objects } from '../../storage/objects/index.ts';
import type { FinishedUpload } from './finished-upload.ts';
import { describeObject, type ObjectDescription } from './object-description.ts';
import { limitOnReplacing, type Permit, refuseCommands, refuseKey } from './permit.ts';
import type { Told, UploadAnswers } from './uploads.answers.ts';
import { plainValues } from './variables.ts';

export interface CreationDeps {
  readonly objects: Objects;
  readonly answers: UploadAnswers;
  readonly arrivals: Arrivals;
  readonly dialect: Dialect;
}

/** An upload whose object is created in the same transaction. */
export interface Ended {
  /** False if an identical object already existed. */
  readonly written: boolean;
  readonly key: string;
  readonly putTime: bigint;
  readonly told: Told;
}

export interface Upload {
  readonly permit: Permit;
  readonly finished: FinishedUpload;
  readonly call: Call;
  /** Makes the bytes durable; called after everything that can be refused without them has been checked. */
  readonly store: () => Promise<void>;
  /** Changes rows together with the object: parts that become its segments. */
  readonly also?: (transaction: Transaction, ended: Ended) => Promise<void>;
}

export class ObjectCreation {
  readonly #deps: CreationDeps;

  constructor(deps: CreationDeps) {
    this.#deps = deps;
  }

  async create(upload: Upload): Promise<Answer> {
    const { permit } = upload;
    if (permit.policy.callbackFetchKey) return this.#nameByCallback(upload);
    const description = describeObject(permit, upload.finished, this.#deps);
    const { persistentId, also } = await this.#arrival(upload, description);
    await upload.store();
    const answering = await this.#deps.answers.prepare({ ...upload, description, persistentId });
    await this.#commit(upload, description, answering.told, both(also, answering.also));
    return answering.answer();
  }

  /** The only case in which the receiver is asked before the object exists: it decides the key. */
  async #nameByCallback(upload: Upload): Promise<Answer> {
    const unnamed = { ...upload.permit, policy: withoutScopeKey(upload.permit) };
    const provisional = describeObject(unnamed, upload.finished, this.#deps);
    await upload.store();
    const asked = { ...upload, description: provisional, persistentId: undefined };
    const { key, answer } = await this.#deps.answers.fetchKey(asked);
    if (key === undefined) return answer;
    const description = describeObject(upload.permit, upload.finished, { ...this.#deps, givenKey: key });
    const { also } = await this.#arrival(upload, description);
    await this.#commit(upload, description, { answer }, also);
    return answer;
  }

  /** The key is final: here it is held against the limits of the access key, before the bytes are stored if possible. */
  #arrival(upload: Upload, { key, ...description }: ObjectDescription): Promise<Prepared> {
    const { permit, call } = upload;
    refuseKey(permit, key);
    const { bucket } = permit;
    const { accessKey } = permit.key;
    const values = () => plainValues(permit, upload.finished, { key, ...description });
    const asked = taskRequest(permit, call.reqid, (template) => renderTemplate(template, values()));
    const request = asked && {
      ...asked,
      check: (commands: readonly Fop[]) => refuseCommands(permit, commands),
    };
    return this.#deps.arrivals.prepare({ bucket, key, accessKey, reqid: call.reqid }, request);
  }

  async #commit(
    { permit, finished, also }: Upload,
    description: ObjectDescription,
    told: Told,
    more: AlsoCommit | undefined,
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
      both(also && ((transaction, outcome) => also(transaction, { ...outcome, key, told })), more),
    );
    await committed.catch((error: unknown) => {
      if (refusal === undefined || !(error instanceof Fault) || error.fault !== 'fileExists') throw error;
      throw new Fault('keyLimited', { hint: `the object exists, and ${refusal}` });
    });
  }
}

/** A key that may write but not delete creates objects and replaces none, whatever its token says. */
function modeWithin(
  permit: Permit,
  { key, mode }: ObjectDescription,
): { mode: ObjectDescription['mode']; refusal?: string } {
  const refusal = mode === 'overwrite' ? limitOnReplacing(permit, key) : undefined;
  return refusal === undefined ? { mode } : { mode: 'insert', refusal };
}

function both(one: AlsoCommit | undefined, two: AlsoCommit | undefined): AlsoCommit | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return async (transaction, outcome) => {
    await one(transaction, outcome);
    await two(transaction, outcome);
  };
}

/** The task that the policy requests for the object; undefined if it requests none. */
function taskRequest(
  { policy, key }: Permit,
  reqid: string,
  render: (template: NonNullable<Permit['policy']['persistentOps']>) => string,
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
function withoutScopeKey({ policy }: Permit): Permit['policy'] {
  return { ...policy, scope: { ...policy.scope, key: undefined }, keylimit: undefined };
}
