/** Files of a deployment name settings that exist, commands that exist, and files that are there. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigFault, readConfig } from '@millpond/server';
import { finishCommand } from '@millpond/testing';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';

vi.setConfig({ testTimeout: 60_000 });

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

function faultsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults;
    throw error;
  }
}

test('the first configuration for systemd can be read', async () => {
  const settings = parseEnv(await read('systemd/millpond.env')) as Record<string, string>;
  const key = `k:${Buffer.alloc(32, 1).toString('base64')}`;
  const { MILLPOND_MASTER_KEY_FILE: file, ...rest } = settings;
  expect(file).toBe('/etc/millpond/master-key');
  expect(faultsOf({ ...rest, MILLPOND_MASTER_KEY: key })).toEqual([]);
});

test('the compose file: commands, settings, secrets and volumes fit together', async () => {
  const compose = parse(await read('container/compose.yaml'), { merge: true }) as Compose;
  expect(Object.keys(compose.services)).toEqual(['postgres', 'migrate', 'gateway', 'worker']);
  for (const [name, service] of Object.entries(compose.services)) {
    for (const secret of service.secrets) expect(compose.secrets).toHaveProperty(secret);
    for (const file of Object.values(service.environment).filter((value) =>
      value.startsWith('/run/secrets/'),
    ))
      expect(service.secrets).toContain(path.basename(file));
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(other);
    if (name === 'postgres') continue;
    const { code } = await finishCommand({}, [...(service.command ?? []), '--help']);
    expect({ name, code }).toEqual({ name, code: 0 });
    const own = await read('container/Containerfile').then(environmentOf);
    const secrets = {
      MILLPOND_CONTROL_DB: 'postgres://postgres/millpond',
      MILLPOND_REGION_DB: 'postgres://postgres/millpond',
      MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    const given = Object.entries(service.environment).filter(([setting]) => !setting.endsWith('_FILE'));
    for (const [setting] of Object.entries(service.environment).filter(([each]) => each.endsWith('_FILE')))
      expect(secrets).toHaveProperty(setting.replace(/_FILE$/, ''));
    expect(faultsOf({ ...own, ...Object.fromEntries(given), ...secrets })).toEqual([]);
  }
});

test('the Containerfile ends as an ordinary user, and copies what is there', async () => {
  const text = await read('container/Containerfile');
  const steps = text.replace(/\\\n/g, ' ').split('\n');
  const users = steps.filter((line) => line.startsWith('USER '));
  expect(users.at(-1)).toBe('USER millpond');
  expect(steps.at(-2)).toBe('CMD ["serve"]');
  for (const file of ['package.json', 'package-lock.json', 'scripts/pack/main.ts'])
    expect(existsSync(path.join(ROOT, file))).toBe(true);
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts).toHaveProperty('pack');
});

/** The settings that the image brings along. */
function environmentOf(containerfile: string): Record<string, string> {
  const lines = containerfile.replace(/\\\n/g, ' ').split('\n');
  const words = lines
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice(4).trim().split(/\s+/));
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]));
}
