/** Starts one deployment per project, with two accounts, and hands its address and keys to the tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Account,
  bundledCommand,
  type ConsoleAt,
  createDeployment,
  freePort,
  makeCertificate,
  runCommand,
  startSecure,
} from '@millpond/testing';
import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

const OPERATOR = 'operator@example.com';
// The first draws the same with half the processor time: it has no window of its own.
const BROWSER = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((file) => existsSync(file));

export interface Target {
  readonly store: 's3' | 'disk';
  readonly url: string;
  /** The same server over TLS, and the certificate to trust there. */
  readonly secure: { readonly url: string; readonly certificate: string };
  /** Files of a certificate and its key that the server trusts where it calls others. */
  readonly trusted: { readonly certificate: string; readonly key: string };
  /** Its S3 listener, plain and over TLS; the certificate is the one above. */
  readonly s3: { readonly url: string; readonly secureUrl: string };
  /** Its console, over TLS. */
  readonly console: ConsoleAt & {
    /** E-mail and password of an account whose sessions may act for all others. */
    readonly operator: { readonly email: string; readonly password: string };
  };
  readonly adminUrl: string;
  /** The deployment's settings, for operator's commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Two accounts that have nothing to do with each other. */
  readonly account: Account;
  readonly stranger: Account;
}

declare module 'vitest' {
  interface ProvidedContext {
    target: Target;
    /** Where to connect to the browser; undefined if there is none, or the project needs none. */
    browser: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildConsole();
  // For what the tests start themselves; the deployment here runs from the sources.
  process.env.MILLPOND_TEST_COMMAND = await bundledCommand();
  const store = project.config.env.MILLPOND_TEST_STORE === 'disk' ? 'disk' : 's3';
  const deployment = await createDeployment({
    store,
    settings: {
      MILLPOND_DOWNLOAD_SUFFIX: 'dl.example.test',
      MILLPOND_MAX_BUCKETS: '10000',
      MILLPOND_CONTROL_CACHE: '1s',
      MILLPOND_COLLECT_EVERY: '1s',
      MILLPOND_LIFECYCLE_EVERY: '1s',
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
      MILLPOND_MEDIA_SLOTS: '2',
      // Some S3 clients know no other for URLs and forms; that it is off by default has tests of its own.
      MILLPOND_SIGNATURE_V2: 'true',
    },
  });
  const certificate = await makeCertificate();
  const { MILLPOND_TLS_CERT = '', MILLPOND_TLS_KEY = '' } = certificate.settings;
  const s3 = {
    url: `http://127.0.0.1:${await freePort()}`,
    secureUrl: `https://127.0.0.1:${await freePort()}`,
  };
  const consoleUrl = `https://127.0.0.1:${await freePort()}`;
  const server = await startSecure(deployment, certificate, { NODE_EXTRA_CA_CERTS: MILLPOND_TLS_CERT }, [
    ...Object.values(s3).map((url) => `${url}/s3`),
    `${consoleUrl}/console`,
  ]);
  const operator = { email: OPERATOR, password: 'correct horse battery' };
  await runCommand(
    deployment.environment,
    ['account', 'create', OPERATOR, '--password', '--operator'],
    `${operator.password}\n`,
  );
  project.provide('target', {
    store,
    url: server.url,
    secure: { url: server.secureUrl, certificate: certificate.text },
    trusted: { certificate: MILLPOND_TLS_CERT, key: MILLPOND_TLS_KEY },
    s3,
    console: { url: consoleUrl, certificate: certificate.text, operator },
    adminUrl: server.adminUrl,
    environment: deployment.environment,
    account: await deployment.createAccount(),
    stranger: await deployment.createAccount(),
  });
  const browser = store === 's3' ? await openBrowser() : undefined;
  project.provide('browser', browser?.wsEndpoint());
  return async () => {
    await browser?.close();
    await deployment.destroy();
    await certificate.remove();
  };
}

/** The console's pages, which a server reads when it starts: built if nobody has built them yet. */
function buildConsole(): void {
  const root = path.join(import.meta.dirname, '../..');
  if (!existsSync(path.join(root, 'packages/console/dist/index.html')))
    execFileSync('npm', ['run', '--silent', 'console'], { cwd: root, stdio: 'inherit' });
}

/** One Chromium for all tests that need a browser. Undefined, and said so, where none is installed. */
async function openBrowser(): Promise<BrowserServer | undefined> {
  if (BROWSER === undefined) {
    console.warn('left out: tests in a browser, because chromium is not installed');
    return undefined;
  }
  return chromium.launchServer({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
}
