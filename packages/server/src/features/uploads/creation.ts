/** From a finished upload to its object and its answer: the same for forms, parts and blocks. */
import { renderTemplate } from '@millpond/protocol';
import type { Answer, Call } from '../../platform/web/index.ts';
import type { AlsoCommit, Committed, Objects } from '../objects/index.ts';
import type { Arrivals, Prepared, TaskRequest } from '../processing/index.ts';
import type { UploadAnswers } from './answers.ts';
import { type Description, describe } from './description.ts';
import type { UploadFacts } from './facts.ts';
import type { Permit } from './permit.ts';
import { plainValues } from './variables.ts';

export interface CreationParts {
  readonly objects: Objects;
  readonly answers: UploadAnswers;
  readonly arrivals: Arrivals;
}

export interface Upload {
  readonly permit: Permit;
  readonly facts: UploadFacts;
  readonly call: Call;
  /** Makes the bytes durable; called once everything that can be refused without them has been judged. */
  readonly store: () => Promise<void>;
  /** Rows that must change with the object: parts that become its segments. */
  readonly also?: AlsoCommit;
}

export class ObjectCreation {
  readonly #parts: CreationParts;

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  async create(upload: Upload): Promise<Answer> {
    const { permit } = upload;
    if (permit.policy.callbackFetchKey) return this.#nameByCallback(upload);
    const description = describe(permit, upload.facts);
    const { persistentId, also } = await this.#arrival(upload, description);
    await upload.store();
    const answering = await this.#parts.answers.prepare({ ...upload, description, persistentId });
    const committed = await this.#commit(upload, description, both(also, answering.also));
    return answering.answer(committed);
  }

  /** The one case in which the receiver is asked before the object is there: it decides on the key. */
  async #nameByCallback(upload: Upload): Promise<Answer> {
    const provisional = describe({ ...upload.permit, policy: withoutScopeKey(upload.permit) }, upload.facts);
    await upload.store();
    const asked = { ...upload, description: provisional, persistentId: undefined };
    const { key, answer } = await this.#parts.answers.fetchKey(asked);
    if (key === undefined) return answer;
    const description = describe(upload.permit, upload.facts, key);
    const { also } = await this.#arrival(upload, description);
    await this.#commit(upload, description, also);
    return answer;
  }

  #arrival(upload: Upload, { key, ...description }: Description): Promise<Prepared> {
    const { permit, call } = upload;
    const { bucket } = permit;
    const { accessKey } = permit.key;
    const values = () => plainValues(permit, upload.facts, { key, ...description });
    const request = taskRequest(permit, call.reqid, (template) => renderTemplate(template, values()));
    return this.#parts.arrivals.prepare({ bucket, key, accessKey, reqid: call.reqid }, request);
  }

  #commit(
    { permit, facts, also }: Upload,
    description: Description,
    more: AlsoCommit | undefined,
  ): Promise<Committed> {
    const { policy, bucket } = permit;
    return this.#parts.objects.commit(
      {
        bucketId: bucket.id,
        key: description.key,
        blobId: facts.blobId,
        segments: facts.segments,
        fsize: facts.size,
        hash: facts.hash,
        mimeType: description.mimeType,
        detectedType: description.detectedType,
        storageClass: policy.fileType,
        endUser: policy.endUser,
        meta: description.meta,
        deadline: policy.deadline,
        expiresAt: description.expiresAt,
        rowsNameBytes: facts.way === 'multipart',
        tier: facts.tier,
      },
      description.mode,
      both(also, more),
    );
  }
}

function both(one: AlsoCommit | undefined, two: AlsoCommit | undefined): AlsoCommit | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return async (transaction, outcome) => {
    await one(transaction, outcome);
    await two(transaction, outcome);
  };
}

/** What the policy asks for on the object; undefined where it asks for nothing. */
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
    isForced: true,
    notifyUrl: policy.persistentNotifyUrl,
    reqid,
  };
}

/** Before the key is known, everything but the key is judged. */
function withoutScopeKey({ policy }: Permit): Permit['policy'] {
  return { ...policy, scope: { ...policy.scope, key: undefined }, keylimit: undefined };
}
