// `npm run engines -- <command>`: starts and stops the real engines of a checkout, for development and CI. Exit codes:
// 0 done, 1 failed (for `status`: not healthy), 2 wrong usage.

import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseRelease, runInRelease } from './release/release.ts';
import { areSmall, ceph, destroy, down, osd, pg, status, up, wait } from './src/commands.ts';
import { EngineError, UsageError } from './src/fault.ts';
import { findPlaces } from './src/places.ts';
import { elapsedSeconds, say } from './src/progress.ts';
import { describe } from './src/report.ts';
import { parseSettings } from './src/settings.ts';

const usage = `npm run engines -- <command>

  up                              install what is missing, create and start the engines, wait until they are healthy
  up --small                      PostgreSQL alone, from npm's packages: installs nothing, works without root and without Debian
  status [--json]                 show what runs; exit code 0 only if all is well
  wait                            wait until all is healthy again after a fault
  down                            stop; keep the data
  destroy                         stop, and delete the data
  osd kill|start|pause|resume N   faults of one storage daemon (N is 0, 1 or 2)
  ceph kill|start|pause|resume    the same of all of Ceph at once
  pg kill|start                   kill -9 of PostgreSQL, and its restart
  run --release NAME -- COMMAND   any command with that release of Debian as its system

With --release trixie or --release sid, each of these is about engines of that release of Debian, from a folder of its own.

Settings, from the environment: MILLPOND_ENGINES_PG_PORT (15432), MILLPOND_ENGINES_CEPH_MON_PORT (13300),
MILLPOND_ENGINES_S3_PORT (18480), MILLPOND_ENGINES_OSD_SIZE (8G), MILLPOND_ENGINES_RTMP_PORT (11935),
MILLPOND_ENGINES_RTMP_HTTP_PORT (18800), MILLPOND_ENGINES_SERVER_PORT (8100: where live hooks go),
MILLPOND_ENGINES_ONLY (pg,ceph,rtmp)`;

try {
  process.exitCode = await command(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else if (error instanceof EngineError) {
    process.stderr.write(`engines: ${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}

async function command(args: string[]): Promise<number> {
  const { words, json, help, release, small } = readArguments(args);
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (release !== undefined && small)
    throw new UsageError('--small is the same on every release: leave --release out');
  if (release !== undefined) return inRelease(release, words, json);
  const places = findPlaces();
  const asked = words.join(' ');
  // What is there is known to the other commands.
  const settings = parseSettings(process.env, small || (asked !== 'up' && areSmall(places)));
  if (json && asked !== 'status') throw new UsageError('--json is for status only');
  switch (asked) {
    case 'up':
      await up(places, settings);
      process.stdout.write(
        `up in ${elapsedSeconds().toFixed(1)} s: ${relative(process.cwd(), places.environmentFile)}\n` +
          'next: npx millpond serve --migrate\n',
      );
      return 0;
    case 'down':
      await down(places, settings);
      return 0;
    case 'destroy':
      await destroy(places, settings);
      return 0;
    case 'status': {
      const now = await status(places, settings);
      process.stdout.write(json ? `${JSON.stringify(now)}\n` : describe(now));
      return now.healthy ? 0 : 1;
    }
    case 'wait':
      await wait(places, settings);
      say('healthy');
      return 0;
    case 'pg kill':
    case 'pg start':
      await pg(places, asked === 'pg kill' ? 'kill' : 'start');
      say(asked);
      return 0;
  }
  const [, action, number] =
    /^ceph (kill|start|pause|resume)$/.exec(asked) ??
    /^osd (kill|start|pause|resume) ([0-2])$/.exec(asked) ??
    [];
  if (action === 'kill' || action === 'start' || action === 'pause' || action === 'resume') {
    await (number === undefined ? ceph(places, action) : osd(places, action, Number(number)));
    say(asked);
    return 0;
  }
  throw new UsageError(usage);
}

function inRelease(name: string, [first, ...rest]: string[], json: boolean): Promise<number> {
  const release = parseRelease(name);
  if (first === 'run') {
    if (rest.length === 0) throw new UsageError(`run --release ${name} -- which command?`);
    return runInRelease(release, rest);
  }
  const words = [...(first === undefined ? [] : [first]), ...rest, ...(json ? ['--json'] : [])];
  return runInRelease(release, [process.execPath, import.meta.filename, ...words]);
}

type Arguments = {
  words: string[];
  json: boolean;
  help: boolean;
  small: boolean;
  release?: string | undefined;
};

function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        release: { type: 'string' },
        small: { type: 'boolean', default: false },
      },
    });
    return { words: positionals, ...values };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
