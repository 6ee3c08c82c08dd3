/** Starts one deployment per project, with two accounts, and hands its address and keys to the tests. */
import { type Account, createDeployment } from '@millpond/testing';
import type { TestProject } from 'vitest/node';

export interface Target {
  readonly store: 's3' | 'disk';
  readonly url: string;
  readonly adminUrl: string;
  /** Two accounts that have nothing to do with each other. */
  readonly account: Account;
  readonly stranger: Account;
}

declare module 'vitest' {
  interface ProvidedContext {
    target: Target;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const store = project.config.env.MILLPOND_TEST_STORE === 'disk' ? 'disk' : 's3';
  const deployment = await createDeployment({
    store,
    settings: {
      MILLPOND_DOWNLOAD_SUFFIX: 'dl.example.test',
      MILLPOND_MAX_BUCKETS: '10000',
      MILLPOND_CONTROL_CACHE: '1s',
    },
  });
  const server = await deployment.start();
  project.provide('target', {
    store,
    url: server.url,
    adminUrl: server.adminUrl,
    account: await deployment.createAccount(),
    stranger: await deployment.createAccount(),
  });
  return () => deployment.destroy();
}
