/** Workflow templates, and the triggers that start them when an object arrives. */
import { randomBytes } from 'node:crypto';
import { Fault, type Fop, MAX_KEY_BYTES, parseFops } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { ParsedTemplates } from './parsed-templates.ts';
import {
  type BucketTrigger,
  MAX_TRIGGERS_OF_BUCKET,
  type TriggerRow,
  type WorkflowRow,
  type WorkflowStore,
} from './workflow.store.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_WORKFLOWS = 1000;
const MAX_TRIGGERS = 1000;
/** Less than a submission may have: other people's uploads start it, again and again. */
const MAX_TEMPLATE_LENGTH = 16 * 1024;

export interface Trigger {
  readonly id: string;
  /** Throws a Fault if they are no longer valid commands. */
  readonly commands: () => readonly Fop[];
  readonly isForced: boolean;
  readonly notifyUrl: string | undefined;
}

export interface WorkflowPage {
  /** The last name of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface TriggerRequest {
  readonly bucket: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly workflow: string;
  readonly isForced: boolean;
  readonly notifyUrl: string | undefined;
}

export interface WorkflowDeps {
  readonly store: WorkflowStore;
  readonly buckets: Buckets;
  readonly freshMs: number;
  readonly staleMs: number;
}

export class Workflows {
  readonly #store: WorkflowStore;
  readonly #buckets: Buckets;
  /** Read on every upload. */
  readonly #ofBucket: StaleIfErrorCache<readonly BucketTrigger[]>;
  readonly #parsed = new ParsedTemplates();

  constructor({ store, buckets, freshMs, staleMs }: WorkflowDeps) {
    this.#store = store;
    this.#buckets = buckets;
    const load = (bucketId: string) => store.triggersOf(BigInt(bucketId));
    this.#ofBucket = new StaleIfErrorCache({ load, freshMs, staleMs, entries: 50_000 });
  }

  async put(uid: bigint, name: string, commands: unknown): Promise<WorkflowRow> {
    if (!isWorkflowName(name))
      throw new Fault('invalidArgument', { hint: 'a name must have 1 to 64 letters, digits, - and _' });
    if (typeof commands !== 'string')
      throw new Fault('invalidArgument', {
        hint: 'commands must be the text of the commands, separated by ;',
      });
    if (Buffer.byteLength(commands) > MAX_TEMPLATE_LENGTH)
      throw new Fault('invalidArgument', {
        hint: `a template may have at most ${MAX_TEMPLATE_LENGTH} bytes`,
      });
    parseFops(commands);
    const row = await this.#store.putWorkflow(uid, name, commands, MAX_WORKFLOWS);
    if (row === undefined)
      throw new Fault('notAllowed', {
        hint: `an account may have at most ${MAX_WORKFLOWS} workflow templates`,
      });
    return row;
  }

  find(uid: bigint, name: string): Promise<WorkflowRow | undefined> {
    return this.#store.workflow(uid, name);
  }

  list(uid: bigint, { after, limit }: WorkflowPage): Promise<WorkflowRow[]> {
    return this.#store.workflows(uid, after, limit);
  }

  async remove(uid: bigint, name: string): Promise<void> {
    if (await this.#store.deleteWorkflow(uid, name)) return;
    if ((await this.#store.workflow(uid, name)) === undefined) throw new Fault('notFound');
    throw new Fault('notAllowed', { hint: 'a trigger starts this template: delete the trigger first' });
  }

  async addTrigger(uid: bigint, request: TriggerRequest): Promise<TriggerRow> {
    const bucket = await this.#buckets.owned(uid, request.bucket);
    for (const affix of [request.prefix, request.suffix]) {
      if (Buffer.byteLength(affix) > MAX_KEY_BYTES || affix.includes('\0'))
        throw new Fault('invalidArgument', {
          hint: `prefix and suffix may have at most ${MAX_KEY_BYTES} bytes`,
        });
    }
    const row = await this.#store.insertTrigger(
      { ...request, id: randomBytes(8).toString('hex'), uid, bucketId: bucket.id, bucket: bucket.name },
      MAX_TRIGGERS,
    );
    this.#ofBucket.forget(bucket.id.toString());
    if (row !== undefined) return row;
    if ((await this.#store.workflow(uid, request.workflow)) === undefined)
      throw new Fault('invalidArgument', { hint: 'there is no such workflow template' });
    if ((await this.#store.triggersOf(bucket.id)).length >= MAX_TRIGGERS_OF_BUCKET)
      throw new Fault('notAllowed', {
        hint: `a bucket may have at most ${MAX_TRIGGERS_OF_BUCKET} triggers`,
      });
    throw new Fault('notAllowed', { hint: `an account may have at most ${MAX_TRIGGERS} triggers` });
  }

  triggers(uid: bigint): Promise<TriggerRow[]> {
    return this.#store.triggers(uid);
  }

  async removeTrigger(uid: bigint, id: string): Promise<void> {
    const bucketId = await this.#store.deleteTrigger(uid, id);
    if (bucketId === undefined) throw new Fault('notFound');
    this.#ofBucket.forget(bucketId.toString());
  }

  /** What a newly arrived object starts. */
  async triggered(bucketId: bigint, key: string): Promise<Trigger[]> {
    const name = bucketId.toString();
    const rows = this.#ofBucket.peek(name) ?? (await this.#ofBucket.get(name)) ?? [];
    const triggers: Trigger[] = [];
    for (const row of rows) {
      if (!key.startsWith(row.prefix) || !key.endsWith(row.suffix)) continue;
      const commands = await this.#commandsOf(row);
      // Trigger and template may have been deleted since the bucket's triggers were read.
      if (commands !== undefined)
        triggers.push({
          id: row.trigger_id,
          commands,
          isForced: row.is_forced,
          notifyUrl: row.notify_url ?? undefined,
        });
    }
    return triggers;
  }

  async #commandsOf({ uid, workflow, digest }: BucketTrigger): Promise<Trigger['commands'] | undefined> {
    const parsed = this.#parsed.find(digest);
    if (parsed !== undefined) return () => parsed;
    const template = await this.#store.workflow(uid, workflow);
    return template && (() => this.#parsed.keep(template.digest, template.commands));
  }
}

export function isWorkflowName(text: string): boolean {
  return NAME.test(text);
}
