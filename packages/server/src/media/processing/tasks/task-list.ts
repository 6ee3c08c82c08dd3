/** Pages of an account's tasks and templates: the query, and the page with the marker of the next one. */
import { Fault, parseTaskId, type WirePage, type WireRecord } from '@millpond/protocol';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { ownPipeline } from '../pipeline-name.ts';
import { ownTaskRecord, type TaskRow } from '../task.ts';
import type { WorkflowRow } from '../workflows/workflow.store.ts';
import { isWorkflowName, type WorkflowPage } from '../workflows/workflows.ts';
import type { TaskFilter } from './task.store.ts';

const MAX_LISTED = 1000;
const MAX_WORKFLOWS = 100;
const CODES: Readonly<Record<string, number>> = { done: 0, waiting: 1, processing: 2, failed: 3 };

export async function readTaskFilter(
  uid: bigint,
  query: URLSearchParams,
  buckets: Buckets,
): Promise<TaskFilter> {
  const given = (name: string) => query.get(name) || undefined;
  const bucket = given('bucket');
  const key = query.get('key') ?? undefined;
  if (key !== undefined && bucket === undefined)
    throw new Fault('invalidArgument', { hint: 'a key needs its bucket' });
  const queue = given('pipeline');
  return {
    uid,
    code: readState(given('state')),
    pipeline: queue === undefined ? undefined : (ownPipeline(uid, queue) ?? null),
    bucketId: bucket === undefined ? undefined : (await buckets.owned(uid, bucket)).id,
    key,
    from: readTime(given('from'), 'from'),
    to: readTime(given('to'), 'to'),
    before: readMarker(given('marker')),
    limit: readLimit(given('limit'), MAX_LISTED),
  };
}

export function taskPage(rows: readonly TaskRow[]): WirePage<'OwnTask'> {
  const last = rows.at(-1);
  return {
    items: rows.map((row) => ownTaskRecord(row)),
    marker: last && `${last.creation_date}/${last.task_id}`,
  };
}

export function readWorkflowPage(query: URLSearchParams): WorkflowPage {
  const after = query.get('marker') || undefined;
  if (after !== undefined && !isWorkflowName(after)) throw new Fault('invalidMarker');
  return { after, limit: readLimit(query.get('limit') || undefined, MAX_WORKFLOWS) };
}

export function workflowPage(rows: readonly WorkflowRow[], { limit }: WorkflowPage): WirePage<'Workflow'> {
  return { items: rows.map(workflowRecord), marker: rows.length < limit ? undefined : rows.at(-1)?.name };
}

export function workflowRecord(row: WorkflowRow): WireRecord<'Workflow'> {
  return {
    name: row.name,
    commands: row.commands,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function readState(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const code = Object.hasOwn(CODES, text) ? CODES[text] : undefined;
  if (code === undefined)
    throw new Fault('invalidArgument', { hint: `state must be one of ${Object.keys(CODES).join(', ')}` });
  return code;
}

function readTime(text: string | undefined, name: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(time))
    throw new Fault('invalidArgument', { hint: `${name} must be unix seconds or ISO 8601` });
  return new Date(time);
}

function readMarker(text: string | undefined): TaskFilter['before'] {
  if (text === undefined) return undefined;
  const [createdAt = '', id = ''] = text.split('/');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/.test(createdAt) || parseTaskId(id) === undefined)
    throw new Fault('invalidMarker');
  return { createdAt, id };
}

function readLimit(text: string | undefined, most: number): number {
  const limit = Number(text ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${most}` });
  return limit;
}
