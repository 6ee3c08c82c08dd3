/** The settings of `millpond dev`, and what its page says of them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { settings } from '@millpond/server';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addDev } from '../commands/dev.ts';
import type { RunFolder, StateFolder } from './folders.ts';
import { planLive } from './live.ts';
import { SPED_UP } from './output.ts';
import { MEDIA_PORTS, type Ports } from './ports.ts';
import { newMasterKey, serverSettings } from './settings.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/local.md'), 'utf8');

/** What a server has where nothing is set, by the name of the setting. */
const fallbacks = new Map(
  Object.values(settings).map(({ env, fallback }: { env: string; fallback?: string }) => [env, fallback]),
);

async function ofDev(environment: Record<string, string> = {}): Promise<Record<string, string>> {
  const places = new Proxy({}, { get: (_, name) => `/place/${String(name)}` });
  const state = places as unknown as StateFolder;
  const ports = new Proxy({}, { get: (_, name) => (name === 'media' ? 8110 : 8100) }) as unknown as Ports;
  const live = await planLive(places as unknown as RunFolder, state, ports, environment, async () => true);
  return serverSettings(
    {
      databaseUrl: 'postgres://dev',
      masterKey: newMasterKey(),
      state,
      ports,
      live,
      mediaPrograms: { MILLPOND_FFMPEG: '/place/ffmpeg', MILLPOND_FFPROBE: '/place/ffprobe' },
      timeFactor: 600,
      dialect: 'qiniu',
    },
    environment,
  );
}

describe('what is different from production', () => {
  const section = /### Settings that differ\n(.*?)\n## /s.exec(page)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| `(MILLPOND_\w+)` +\| (.*?) +\| (.*?) +\|/gm)];
  const inWords = section.slice(section.lastIndexOf('\n|')).split('\n').slice(2).join('\n');
  const named = [...inWords.matchAll(/`(MILLPOND_\w+)`/g)].map(([, name = '']) => name);
  const plain = (cell = '') => /^`(.*)`$/.exec(cell)?.[1];

  test('is on the page, setting by setting, and nothing else is', async () => {
    const differing = Object.entries(await ofDev())
      .filter(([name, value]) => fallbacks.get(name) !== value)
      .map(([name]) => name);
    expect(differing.length).toBeGreaterThan(30);
    expect([...rows.map(([, name = '']) => name), ...named].toSorted()).toEqual(differing.toSorted());
  });

  test('is there with the value that it has, and with the one that a server has', async () => {
    const dev = await ofDev();
    for (const [, name = '', here, onServer] of rows) {
      if (plain(here) !== undefined) expect([name, plain(here)]).toEqual([name, dev[name]]);
      const fallback = fallbacks.get(name);
      const shown = fallback === undefined ? 'none' : fallback === '' ? 'empty' : `\`${fallback}\``;
      expect([name, onServer]).toEqual([name, shown]);
    }
    expect(rows.filter(([, , here]) => plain(here) === undefined).map(([, name]) => name)).toEqual([
      'MILLPOND_FFMPEG',
      'MILLPOND_FFPROBE',
      'MILLPOND_SIP_LISTEN',
      'MILLPOND_SIP_MEDIA_PORTS',
    ]);
    expect(dev.MILLPOND_SIP_MEDIA_PORTS).toBe(`8110-${8110 + MEDIA_PORTS - 1}`);
  });

  test('is overridden by the environment, except for where things are', async () => {
    const given = Object.fromEntries(
      [...rows.map(([, name = '']) => name), ...named].map((name) => [name, 'given']),
    );
    const dev = await ofDev({ ...given, MILLPOND_LIVE_ENGINES: '' });
    for (const [, name = ''] of rows) expect([name, dev[name]]).toEqual([name, 'given']);
    const isOfEngine = (name: string) => name.startsWith('MILLPOND_LIVE_');
    for (const name of named.filter((each) => !isOfEngine(each)))
      expect([name, dev[name]]).not.toEqual([name, 'given']);
  });
});

test('what the time factor speeds up is said alike by the option, the setting and the page', () => {
  const program = new Command();
  addDev(program);
  const option = program.commands[0]?.options.find(({ long }) => long === '--time-factor');
  expect(option?.description).toBe(`how many times as fast these are: ${SPED_UP}`);
  expect(settings.timeFactor.meaning).toBe(`Development only: how many times as fast these are: ${SPED_UP}.`);
  expect(page).toContain(`| N times as fast: ${SPED_UP} |`);
});
