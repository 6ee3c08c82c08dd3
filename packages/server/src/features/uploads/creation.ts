/** From a finished upload to its object and its answer: the same for forms, parts and blocks. */
import type { Answer, Call } from '../../platform/web/index.ts';
import type { AlsoCommit, Committed, Objects } from '../objects/index.ts';
import type { UploadAnswers } from './answers.ts';
import { type Description, describe } from './description.ts';
import type { UploadFacts } from './facts.ts';
import type { Permit } from './permit.ts';

export interface CreationParts {
  readonly objects: Objects;
  readonly answers: UploadAnswers;
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
    await upload.store();
    const answering = await this.#parts.answers.prepare({ ...upload, description });
    const committed = await this.#commit(upload, description, answering.also);
    return answering.answer(committed);
  }

  /** The one case in which the receiver is asked before the object is there: it decides on the key. */
  async #nameByCallback(upload: Upload): Promise<Answer> {
    const provisional = describe({ ...upload.permit, policy: withoutScopeKey(upload.permit) }, upload.facts);
    await upload.store();
    const { key, answer } = await this.#parts.answers.fetchKey({ ...upload, description: provisional });
    if (key !== undefined) await this.#commit(upload, describe(upload.permit, upload.facts, key), undefined);
    return answer;
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

/** Before the key is known, everything but the key is judged. */
function withoutScopeKey({ policy }: Permit): Permit['policy'] {
  return { ...policy, scope: { ...policy.scope, key: undefined }, keylimit: undefined };
}
