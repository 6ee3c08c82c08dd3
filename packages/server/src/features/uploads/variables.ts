/** Values of the magic variables for the answer and the callback of an upload. */
import { randomUUID } from 'node:crypto';
import { nameValues, type Template, type TemplateValues, variablesOf } from '@millpond/protocol';
import type { Description } from './description.ts';
import type { UploadFacts } from './facts.ts';
import type { Permit } from './permit.ts';

export interface UploadValues {
  readonly permit: Permit;
  readonly facts: UploadFacts;
  readonly description: Description;
  readonly persistentId: string | undefined;
}

/** What inspecting the content finds: by variable name, for the requested ones. */
export type InspectContent = (
  facts: UploadFacts,
  names: ReadonlySet<string>,
  signal: AbortSignal,
) => Promise<TemplateValues>;

export async function uploadValues(
  values: UploadValues,
  templates: readonly Template[],
  inspect: InspectContent,
  signal: AbortSignal,
): Promise<TemplateValues> {
  const { permit, facts, description } = values;
  const asked = new Set(templates.flatMap((template) => [...variablesOf(template)]));
  return {
    ...plainValues(permit, facts, description),
    ...(await inspect(facts, asked, signal)),
    persistentId: values.persistentId,
  };
}

/** The variables that don't require inspecting the content. */
export function plainValues(permit: Permit, facts: UploadFacts, description: Description): TemplateValues {
  return {
    ...facts.customVariables,
    ...nameValues({ fname: facts.fileName, key: description.key, mimeType: description.mimeType }),
    bucket: permit.bucket.name,
    etag: facts.hash,
    fsize: facts.size,
    endUser: permit.policy.endUser,
    uuid: randomUUID(),
  };
}
