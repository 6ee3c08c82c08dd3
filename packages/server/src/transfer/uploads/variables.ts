/** Values of the magic variables for the answer and the callback of an upload. */
import { randomUUID } from 'node:crypto';
import { nameValues, type Template, type TemplateValues, variablesOf } from '@millpond/protocol';
import { tenantOf } from '../../identity/accounts/index.ts';
import type { FinishedUpload } from './finished-upload.ts';
import type { ObjectDescription } from './object-description.ts';
import type { VerifiedUploadToken } from './upload-token.ts';

export interface UploadValues {
  readonly permit: VerifiedUploadToken;
  readonly finished: FinishedUpload;
  readonly description: ObjectDescription;
  readonly persistentId: string | undefined;
}

/** What inspecting the content finds: by variable name, for the requested ones. */
export type InspectContent = (
  finished: FinishedUpload,
  names: ReadonlySet<string>,
  /** Whose turn it takes. */
  turn: { readonly tenant: bigint; readonly signal: AbortSignal },
) => Promise<TemplateValues>;

export async function uploadValues(
  values: UploadValues,
  templates: readonly Template[],
  inspect: InspectContent,
  signal: AbortSignal,
): Promise<TemplateValues> {
  const { permit, finished, description } = values;
  const asked = new Set(templates.flatMap((template) => [...variablesOf(template)]));
  return {
    ...plainValues(permit, finished, description),
    ...(await inspect(finished, asked, { tenant: tenantOf(permit.key), signal })),
    persistentId: values.persistentId,
  };
}

/** The variables that don't require inspecting the content. */
export function plainValues(
  permit: VerifiedUploadToken,
  finished: FinishedUpload,
  description: ObjectDescription,
): TemplateValues {
  return {
    ...finished.customVariables,
    ...nameValues({ fname: finished.fileName, key: description.key, mimeType: description.mimeType }),
    bucket: permit.bucket.name,
    etag: finished.hash,
    fsize: finished.size,
    endUser: permit.policy.endUser,
    uuid: randomUUID(),
  };
}
