// Installs missing Debian packages. Debian starts a service right after installing it; that is prevented here, since
// the engines have their own configurations, ports and data.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { EngineError } from './fault.ts';
import { say } from './progress.ts';
import { attempt } from './run.ts';

const serviceGuard = '/usr/sbin/policy-rc.d';

export async function installPackages(wanted: string[]): Promise<void> {
  const missing = await findMissing(wanted);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) {
    throw new EngineError(
      `packages are missing, install them as root: apt-get install --no-install-recommends ${missing.join(' ')}`,
    );
  }
  say(`packages: installing ${missing.join(' ')}`);
  const guarded = existsSync(serviceGuard);
  if (!guarded) writeFileSync(serviceGuard, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install(missing);
  } finally {
    if (!guarded) rmSync(serviceGuard, { force: true });
  }
  say('packages: installed');
}

async function findMissing(wanted: string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query has placeholders of the same form.
  const format = '${Package} ${db:Status-Status}\\n';
  const listing = await attempt('dpkg-query', ['-W', '-f', format, ...wanted]);
  if (listing.code === 127)
    throw new EngineError('the engines are installed from Debian packages, and this is not Debian');
  const installed = new Set(listing.output.split('\n'));
  return wanted.filter((name) => !installed.has(`${name} installed`));
}

async function install(packages: string[]): Promise<void> {
  const patient = ['-o', 'DPkg::Lock::Timeout=600', '-qq'];
  // The caller's environment may name a proxy.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apply = () =>
    attempt('apt-get', [...patient, 'install', '-y', '--no-install-recommends', ...packages], { env });
  let outcome = await apply();
  if (outcome.code !== 0) {
    // A fresh machine has no package lists, an old one has stale ones.
    await attempt('apt-get', [...patient, 'update'], { env });
    outcome = await apply();
  }
  if (outcome.code !== 0) throw new EngineError(`apt-get install failed: ${outcome.errors.trimEnd()}`);
}
