/** What a new object starts: the task that its upload asked for, and the bucket's triggers. */
import type { Log } from '@millpond/base';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { CommitHook } from '../../../storage/objects/index.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { PreparedTask, TaskRequest, Tasks } from './tasks.ts';

export interface NewObjectInfo {
  readonly bucket: Pick<Bucket, 'id' | 'name' | 'uid'>;
  readonly key: string;
  /** The key that signed the request; it signs the notifications. */
  readonly accessKey: string | undefined;
  readonly reqid: string;
}

export interface PreparedTasks {
  readonly persistentId: string | undefined;
  /** To be committed with the object; undefined if nothing is started. */
  readonly onCommit: CommitHook | undefined;
}

export interface NewObjectInfoDeps {
  readonly tasks: Tasks;
  readonly workflows: Workflows;
  readonly log: Log;
}

export class UploadTriggers {
  readonly #deps: NewObjectInfoDeps;

  constructor(deps: NewObjectInfoDeps) {
    this.#deps = deps;
  }

  /** `own` is what the upload asks for: any fault in it is the uploader's. */
  async prepare(newObject: NewObjectInfo, own?: TaskRequest): Promise<PreparedTasks> {
    const { tasks, workflows } = this.#deps;
    const asked = own && (await tasks.prepare(own));
    const triggers = await workflows.triggered(newObject.bucket.id, newObject.key);
    const triggered = await Promise.all(triggers.map((trigger) => this.#triggered(newObject, trigger)));
    const others = triggered.filter((task) => task !== undefined);
    if (asked === undefined && others.length === 0) return { persistentId: undefined, onCommit: undefined };
    return {
      persistentId: asked?.id,
      async onCommit(transaction, { written }) {
        const { bucket, key } = newObject;
        if (asked !== undefined) await tasks.create(transaction, asked, bucket, key);
        // Uploading the same content again is not an arrival.
        if (written) for (const task of others) await tasks.create(transaction, task, bucket, key);
      },
    };
  }

  /** A trigger that can't be run (the bucket of its results is gone) must not block uploads. */
  async #triggered(
    { bucket, accessKey, reqid }: NewObjectInfo,
    trigger: Awaited<ReturnType<Workflows['triggered']>>[number],
  ): Promise<PreparedTask | undefined> {
    try {
      return await this.#deps.tasks.prepare({
        uid: bucket.uid,
        accessKey,
        fops: trigger.commands(),
        workflow: undefined,
        isIdle: false,
        pipeline: undefined,
        isForced: trigger.isForced,
        notifyUrl: trigger.notifyUrl,
        reqid,
        trigger: trigger.id,
      });
    } catch (error) {
      this.#deps.log.warn(
        { trigger: trigger.id, error: String(error) },
        'a trigger could not start its task',
      );
      return undefined;
    }
  }
}
