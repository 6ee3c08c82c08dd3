// The status as lines for people.

import type { Status } from './commands.ts';

export function describe({ healthy, folder, diskMiB, pg, ceph, rtmp }: Status): string {
  const lines = [`engines  ${healthy ? 'healthy' : 'not healthy'}  ${diskMiB} MiB in ${folder}`];
  if (pg) {
    const where = pg.port === undefined ? '' : `  127.0.0.1:${pg.port}`;
    const what = pg.pid === undefined ? '' : `  pid ${pg.pid}  ${pg.memoryMiB} MiB`;
    lines.push(`pg       ${pg.state}${where}${what}`);
  }
  if (ceph) {
    const where = ceph.s3Port === undefined ? '' : `  S3 on 127.0.0.1:${ceph.s3Port}`;
    const health = ceph.cluster ? `  ${ceph.cluster.health}, ${ceph.cluster.osdsUp} OSDs up` : '';
    lines.push(`ceph     ${ceph.state}${where}${health}`);
    for (const [name, message] of Object.entries(ceph.cluster?.checks ?? {}))
      lines.push(`           ${name}: ${message}`);
    for (const { name, pid, paused, memoryMiB } of ceph.daemons ?? []) {
      lines.push(
        `  ${name.padEnd(16)}${pid === undefined ? 'down' : `pid ${pid}  ${memoryMiB} MiB${paused ? '  paused' : ''}`}`,
      );
    }
  }
  if (rtmp) {
    const where = rtmp.port === undefined ? '' : `  127.0.0.1:${rtmp.port}`;
    const what = rtmp.pid === undefined ? '' : `  pid ${rtmp.pid}  ${rtmp.memoryMiB} MiB`;
    lines.push(`rtmp     ${rtmp.state}${where}${what}`);
  }
  return `${lines.join('\n')}\n`;
}
