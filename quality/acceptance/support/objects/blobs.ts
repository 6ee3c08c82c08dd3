/** What really lies in a deployment's blob store, seen past the server: files on disk, or objects in the engine. */
import { createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Deployment } from '@millpond/testing';

export interface Blobs {
  /** Whole blobs. */
  readonly whole: readonly string[];
  /** Begun and not ended: temporary files, the engine's unfinished multiparts. */
  readonly unfinished: readonly string[];
}

export async function blobsOf(deployment: Deployment): Promise<Blobs> {
  return deployment.environment.MILLPOND_BLOBS === 'disk' ? onDisk(deployment) : inEngine(deployment);
}

export type Tier = 'STANDARD' | 'COLD';

/** In which tier of the store each blob lies, by its id. */
export async function tiersOf(deployment: Deployment): Promise<Map<string, Tier>> {
  const tiers = new Map<string, Tier>();
  if (deployment.environment.MILLPOND_BLOBS === 'disk') {
    for (const name of (await onDisk(deployment)).whole)
      tiers.set(idOf(name), name.startsWith(`${deployment.diskRoot}/COLD/`) ? 'COLD' : 'STANDARD');
    return tiers;
  }
  const { environment, engineBucket } = deployment;
  const answer = await fetch(engineUrl(environment, `/${engineBucket}`, '', 'max-keys=1000'));
  for (const [, name = '', rest = ''] of (await answer.text()).matchAll(
    /<Key>([^<]*)<\/Key>(.*?)<\/Contents>/gs,
  ))
    tiers.set(idOf(name), rest.includes('<StorageClass>COLD<') ? 'COLD' : 'STANDARD');
  return tiers;
}

function idOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

async function onDisk({ diskRoot }: Deployment): Promise<Blobs> {
  const entries = await readdir(diskRoot, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  const isTemporary = (name: string) => name.startsWith(`${diskRoot}/tmp/`);
  return { whole: files.filter((name) => !isTemporary(name)), unfinished: files.filter(isTemporary) };
}

async function inEngine({ environment, engineBucket }: Deployment): Promise<Blobs> {
  const list = async (resource: string, query: string) => {
    const answer = await fetch(engineUrl(environment, `/${engineBucket}`, resource, query));
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the engine answered ${answer.status}: ${text}`);
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1] ?? '');
  };
  const [whole, unfinished] = await Promise.all([list('', 'max-keys=1000'), list('?uploads', 'uploads')]);
  return { whole, unfinished };
}

/** The older signing by query: a few lines, and every engine that we run takes it. */
function engineUrl(
  environment: Readonly<Record<string, string>>,
  path: string,
  resource: string,
  query: string,
): string {
  const { MILLPOND_S3_ENDPOINT = '', MILLPOND_S3_ACCESS_KEY = '', MILLPOND_S3_SECRET_KEY = '' } = environment;
  const expires = String(Math.floor(Date.now() / 1000) + 300);
  const text = `GET\n\n\n${expires}\n${path}/${resource}`;
  const signature = createHmac('sha1', MILLPOND_S3_SECRET_KEY).update(text).digest('base64');
  const signed = new URLSearchParams({
    AWSAccessKeyId: MILLPOND_S3_ACCESS_KEY,
    Expires: expires,
    Signature: signature,
  });
  return `${MILLPOND_S3_ENDPOINT.replace(/\/$/, '')}${path}/?${query}&${signed.toString()}`;
}
