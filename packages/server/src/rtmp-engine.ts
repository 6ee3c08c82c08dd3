/**
 * nginx with its RTMP module on this machine: whether it is installed, and its configuration, generated from the file that
 * operators fill in by hand (deploy/nginx-rtmp/nginx.conf).
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '@millpond/base';

export interface RtmpConfiguration {
  readonly folder: string;
  readonly records: string;
  readonly rtmpListen: string;
  /** Reachable from this machine only: here admitted streams become HLS. */
  readonly feedListen: string;
  readonly httpListen: string;
  /** Where the server receives the engine's hooks: http://host:port/v1/hooks/<engine> */
  readonly hooks: string;
  readonly secret: string;
  readonly recordInterval: string;
  /** How often the engine tells the server that a publisher is still there. */
  readonly updateInterval: string;
}

/** Debian's paths; the configuration names the module by them. */
export const RTMP_PROGRAM = '/usr/sbin/nginx';
const RTMP_MODULE = '/usr/lib/nginx/modules/ngx_rtmp_module.so';
export const RTMP_PACKAGES = ['nginx-light', 'libnginx-mod-rtmp'] as const;

export async function isRtmpInstalled(): Promise<boolean> {
  try {
    await Promise.all([access(RTMP_PROGRAM, constants.X_OK), access(RTMP_MODULE, constants.R_OK)]);
    return true;
  } catch {
    return false;
  }
}

/** If root starts it, its worker stays root, so the folders belong to it and to nobody else. */
export function rtmpConfiguration(template: string, values: RtmpConfiguration): string {
  const feed = createHash('sha256').update(`feed of ${values.secret}`).digest('hex').slice(0, 32);
  const names: Readonly<Record<string, string>> = {
    ...values,
    feed,
    user: process.getuid?.() === 0 ? 'user root;' : '',
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`the configuration of the RTMP engine names ${name}`);
    return value;
  });
}

/** The folders that the configuration names. */
export async function makeRtmpFolders({
  folder,
  records,
}: Pick<RtmpConfiguration, 'folder' | 'records'>): Promise<void> {
  for (const each of [folder, path.join(folder, 'hls'), path.join(folder, 'tmp'), records]) {
    makeFolder(each);
    // The server may run as another user, and reads the recordings.
    await chmod(each, 0o755);
  }
}
