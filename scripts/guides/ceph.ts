/**
 * The Ceph guide in a cluster that others use too: under its own names, with its own gateway in place of the one that a
 * reader would restart, and everything removed afterwards.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

export interface CephGuide {
  /** The storage class that it creates. */
  readonly storageClass: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly replace: Readonly<Record<string, string>>;
  readonly instead: Readonly<Record<string, string>>;
  /** What is still in the cluster from the page. */
  leftovers(): Promise<string[]>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const PLACEMENT = '--placement-id default-placement --storage-class';

const LISTS = [
  'ceph osd pool ls',
  'ceph osd erasure-code-profile ls',
  'ceph osd crush rule ls',
  'radosgw-admin user list',
  'radosgw-admin zonegroup placement list',
  'radosgw-admin zone placement list',
];

/** `configuration`: the cluster's ceph.conf. `port`: for the gateway. */
export function cephGuide(configuration: string, folder: string, port: number): CephGuide {
  const id = `guide-${randomBytes(4).toString('hex')}`;
  const storageClass = id.toUpperCase();
  const pool = `${id}.cold.data`;
  const environment = { CEPH_CONF: configuration };
  const shell = (script: string) =>
    run('bash', ['-c', script], { env: { PATH: process.env.PATH, ...environment } });
  const gateway = [
    `radosgw -f -n client.rgw.main --rgw-frontends='beast endpoint=127.0.0.1:${port}'`,
    `--admin-socket= --log-file=${folder}/gateway.log --rgw-data=${folder}`,
    '--rgw-enable-gc-threads=false --rgw-enable-lc-threads=false',
  ].join(' ');
  return {
    storageClass,
    environment,
    replace: {
      'default.rgw.cold.data': pool,
      'profile set cold': `profile set ${id}`,
      'erasure cold': `erasure ${id}`,
      // Enough for a byte.
      ' 32 32 ': ' 1 1 ',
      'class COLD': `class ${storageClass}`,
      '--uid millpond': `--uid ${id}`,
      'http://127.0.0.1:7480': `http://127.0.0.1:${port}`,
    },
    instead: {
      'systemctl restart ceph-radosgw.target':
        `${gateway} > ${folder}/gateway.txt 2>&1 & ` +
        `until curl -s -o /dev/null http://127.0.0.1:${port}/; do kill -0 $!; sleep 0.05; done`,
    },
    async leftovers() {
      const listed = await Promise.all(LISTS.map(shell));
      const lines = listed.flatMap(({ stdout }) => stdout.split('\n'));
      return lines.filter((line) => line.toLowerCase().includes(id));
    },
    /** Each by itself: a failed page has made only some of it. */
    async remove() {
      await shell(
        [
          `radosgw-admin user rm --uid ${id} --purge-data`,
          `radosgw-admin zone placement rm --rgw-zone default ${PLACEMENT} ${storageClass}`,
          `radosgw-admin zonegroup placement rm --rgw-zonegroup default ${PLACEMENT} ${storageClass}`,
          `ceph tell mon.a config set mon_allow_pool_delete true`,
          `ceph osd pool delete ${pool} ${pool} --yes-i-really-really-mean-it`,
          `ceph tell mon.a config set mon_allow_pool_delete false`,
          `ceph osd crush rule rm ${pool}`,
          `ceph osd erasure-code-profile rm ${id}`,
          'true',
        ].join('\n'),
      );
    },
  };
}
