/**
 * `npm run image`: packs this checkout and makes the container images of it, without a daemon.
 *
 *   npm run image                          on the bases of docker.io
 *   npm run image -- --base debootstrap    on bases made of Debian's packages, where no registry can be reached (as root)
 *   npm run image -- --timestamp 1795000000    built anew, with this time (in seconds) everywhere: the same layers from the same bases
 *   npm run image -- --json                what was made, as one line of JSON
 *   npm run image -- --check               makes nothing: says which programs are missing
 */
import { parseArgs } from 'node:util';
import { makeBases } from './bases.ts';
import { buildImages, missingPrograms } from './build.ts';

const OPTIONS = {
  base: { type: 'string', default: 'registry' },
  timestamp: { type: 'string' },
  json: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const say = (line: string) => process.stderr.write(`${line}\n`);

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    say((error as Error).message);
    return undefined;
  }
}

const values = readOptions();
const isRight =
  ['registry', 'debootstrap'].includes(values?.base ?? '') && /^\d{1,12}$/.test(values?.timestamp ?? '0');
if (values === undefined || values.help || !isRight) {
  say('npm run image [-- --base registry|debootstrap] [--timestamp SECONDS] [--json | --check]');
  process.exitCode = values?.help ? 0 : 2;
} else {
  const missing = await missingPrograms(values.base === 'debootstrap');
  if (missing.length > 0) {
    say(
      `missing: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${missing.join(' ')} runc`,
    );
    process.exitCode = 1;
  } else if (!values.check) {
    if (values.base === 'debootstrap') await makeBases(say);
    const images = await buildImages({
      say,
      pull: values.base === 'registry',
      timestamp: values.timestamp === undefined ? undefined : Number(values.timestamp),
    });
    if (values.json) process.stdout.write(`${JSON.stringify(images)}\n`);
    else
      for (const { name, megabytes } of images) process.stdout.write(`${name.padEnd(32)} ${megabytes} MB\n`);
  }
}
