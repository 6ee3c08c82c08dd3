/** A deployment of a test file's own, over TLS, for settings that the shared one does not have. */
import {
  type ConsoleAt,
  type ControlDatabase,
  createDeployment,
  type Deployment,
  freePort,
  makeCertificate,
  openControlDatabase,
  type SecureServer,
  startSecure,
} from '@millpond/testing';
import { afterAll, beforeAll } from 'vitest';
import { target } from '../target.ts';
import type { Secure } from './secure.ts';

export interface SecureDeployment {
  readonly deployment: Deployment;
  readonly server: SecureServer;
  readonly at: Secure;
  /** Its console. */
  readonly console: ConsoleAt;
  readonly database: ControlDatabase;
  /** One more server on the same databases. */
  start(
    settings?: Readonly<Record<string, string>>,
    /** Port of its console; a free one unless given. */
    consolePort?: number,
  ): Promise<{ server: SecureServer; at: Secure; console: ConsoleAt }>;
}

/** To be called at the top of a file or inside a describe; what it returns is there while the tests run. */
export function useSecureDeployment(settings: Readonly<Record<string, string>>): SecureDeployment {
  const opened: Partial<SecureDeployment> = {};
  const close: (() => Promise<void>)[] = [];
  const part = <K extends keyof SecureDeployment>(name: K): SecureDeployment[K] => {
    const value = opened[name];
    if (value === undefined) throw new Error('the deployment is there only while tests run');
    return value;
  };
  beforeAll(async () => {
    const certificate = await makeCertificate();
    close.push(() => certificate.remove());
    const deployment = await createDeployment({ store: target.store, settings });
    close.push(() => deployment.destroy());
    const start = async (more?: Readonly<Record<string, string>>, port?: number) => {
      const url = `https://127.0.0.1:${port ?? (await freePort())}`;
      const server = await startSecure(deployment, certificate, more, [`${url}/console`]);
      const { text } = certificate;
      return {
        server,
        at: { url: server.secureUrl, certificate: text },
        console: { url, certificate: text },
      };
    };
    const database = await openControlDatabase(deployment.environment.MILLPOND_CONTROL_DB ?? '');
    close.push(() => database.close());
    Object.assign(opened, { deployment, database, start, ...(await start()) });
  });
  afterAll(async () => {
    for (const each of close.toReversed()) await each();
  });
  return {
    get deployment() {
      return part('deployment');
    },
    get server() {
      return part('server');
    },
    get at() {
      return part('at');
    },
    get console() {
      return part('console');
    },
    get database() {
      return part('database');
    },
    start: (...given) => part('start')(...given),
  };
}
