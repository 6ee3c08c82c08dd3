/**
 * What a test needs besides PostgreSQL, as a tag: `// @module-tag ceph` in a file, `{ tags: ['ceph'] }` for one test.
 * With `--small` such tests are skipped, because small engines have none of it.
 */
const isSmall = process.env.MILLPOND_TEST_SMALL === 'true';

const NEEDS = {
  ceph: 'Ceph, as the store of blobs',
  nginx: 'nginx, or its RTMP module',
  sandbox: 'bubblewrap, or ffmpeg, which runs in it',
  debian: 'other programs of Debian: PostgreSQL’s own tools, openssl, git, systemd, promtool, …',
  root: 'root, to become other users',
  registry: 'npm’s registry',
};

export const tags = [
  ...Object.entries(NEEDS).map(([name, description]) => ({
    name,
    description,
    ...(isSmall && { skip: true }),
  })),
  {
    name: 'night',
    description: 'a long form, whose short form every change runs: only where MILLPOND_TEST_NIGHT is true',
    ...(process.env.MILLPOND_TEST_NIGHT !== 'true' && { skip: true }),
  },
  {
    name: 'linux',
    description: 'Linux, and nothing that it lacks without root',
    ...(process.platform !== 'linux' && { skip: true }),
  },
];
