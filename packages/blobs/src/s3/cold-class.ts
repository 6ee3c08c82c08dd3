/** Whether the engine has the storage class of the tier COLD, found out by putting an object there. */
import { engineKey, newBlobId } from '../blob-id.ts';
import { type S3Client, STANDARD_CLASS } from './client.ts';
import { errorCode, responseError } from './faults.ts';
import { tierHeaders } from './multipart.ts';
import { statBlob } from './stat.ts';

const DOING = 'trying the storage class of cold bytes';
/** What Ceph answers for a class that it does not have, and what others answer. */
const NO_SUCH_CLASS = new Set(['InvalidArgument', 'InvalidStorageClass']);

/** Removes the test object again; if that fails, the sweep finds a blob that no row names. */
export async function probeColdClass(client: S3Client, signal?: AbortSignal): Promise<string | undefined> {
  const name = client.classes.COLD;
  if (name === STANDARD_CLASS) return undefined;
  const key = engineKey(newBlobId());
  const { status, body } = await client.call({
    method: 'PUT',
    key,
    headers: tierHeaders(client, 'COLD'),
    body: [Buffer.of(0)],
    expect: [200, 400, 403],
    doing: DOING,
    signal,
    retry: false,
  });
  const code = errorCode(body) ?? '';
  if (status === 403 && code === 'AccessDenied') return `the engine refuses writes to storage class ${name}`;
  if (status === 400 && NO_SUCH_CLASS.has(code)) return `the engine has no storage class ${name}`;
  if (status !== 200) throw responseError(status, body, DOING);
  try {
    const found = (await statBlob(client, key, signal))?.storageClass ?? 'nowhere';
    return found === name ? undefined : `the engine stores objects of class ${name} as ${found}`;
  } finally {
    await client
      .call({ method: 'DELETE', key, expect: [200, 204, 404], doing: DOING, signal, retry: false })
      .catch(() => undefined);
  }
}
