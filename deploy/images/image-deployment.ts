/** What containers of a test share: a database, secrets, and folders in place of volumes. They listen at ports of this machine. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { createDatabase, freePorts } from '@millpond/testing';
import { type Container, type PlacedContainer, type Service, startContainer } from './containers.ts';

/** That of the images. */
export const USER = 10001;

export interface ImageDeployment {
  readonly databaseUrl: string;
  readonly folder: string;
  /** A container that is removed with the place; ready when its `readyz` says so. */
  start(service: Service, settings?: Readonly<Record<string, string>>): Promise<Placing>;
  readonly placed: (port: number, settings?: Readonly<Record<string, string>>) => PlacedContainer;
  remove(): Promise<void>;
}

export interface Placing {
  readonly container: Container;
  readonly url: string;
  readonly isReady: () => Promise<boolean>;
}

export async function makePlace(): Promise<ImageDeployment> {
  const database = await createDatabase('image');
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-image-'));
  await chmod(folder, 0o711);
  const names = ['database-url', 'master-key', 'blobs', 'sandbox'];
  const files = Object.fromEntries(names.map((name) => [name, path.join(folder, name)]));
  const at = (name: string) => path.join(folder, name);
  await writeFile(at('database-url'), database.url);
  await writeFile(at('master-key'), `k:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  for (const name of ['blobs', 'sandbox']) await mkdir(at(name), { mode: 0o700 });
  for (const name of ['master-key', 'blobs', 'sandbox']) await chown(at(name), USER, USER);
  const containers: Container[] = [];
  const placed: ImageDeployment['placed'] = (port, settings = {}) => ({
    files,
    settings: {
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${port + 1}`,
      MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
      // In place of the proxy that has the certificate.
      MILLPOND_PLAIN_HTTP: 'true',
      ...settings,
    },
  });
  return {
    databaseUrl: database.url,
    folder,
    placed,
    async start(service, settings) {
      const port = await freePorts(2);
      const container = await startContainer(service, placed(port, settings));
      containers.push(container);
      return {
        container,
        url: `http://127.0.0.1:${port}`,
        isReady: () =>
          fetch(`http://127.0.0.1:${port + 1}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
      };
    },
    async remove() {
      await Promise.all(containers.map((container) => container.remove()));
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

export interface Uploader {
  /** For the command of a container. */
  readonly keys: Readonly<Record<string, string>>;
  /** The status of an upload. */
  readonly upload: (url: string, key: string, content: Uint8Array<ArrayBuffer>) => Promise<number>;
}

/** An account with the bucket `photos`, made by the command in a container. */
export async function createUploader({ container, url }: Placing): Promise<Uploader> {
  const exported = await container.exec(
    {},
    ...'millpond account create you@example.com --bucket photos --export'.split(' '),
  );
  const keys = {
    ...parseEnv(exported.replaceAll('export ', '')),
    MILLPOND_ENDPOINT: url,
  } as Record<string, string>;
  const token = (await container.exec(keys, 'millpond', 'token', 'make', 'photos')).trim();
  return {
    keys,
    upload: async (to, key, content) => {
      const form = new FormData();
      form.set('token', token);
      form.set('key', key);
      form.set('file', new Blob([content]), key);
      return (await fetch(`${to}/`, { method: 'POST', body: form })).status;
    },
  };
}
