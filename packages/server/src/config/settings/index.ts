/**
 * Every setting of the server, once. The reference page of the documentation is generated from this table, with a section for
 * each group.
 */
import { accounts } from './accounts.ts';
import { blobs } from './blobs.ts';
import { console } from './console.ts';
import { devices } from './devices.ts';
import { listening } from './listening.ts';
import { live } from './live.ts';
import { media } from './media.ts';
import { objects } from './objects.ts';
import { oidc } from './oidc.ts';
import { outbound } from './outbound.ts';
import { process } from './process.ts';
import { records } from './records.ts';
import type { Setting } from './setting.ts';

export type { Setting } from './setting.ts';

export const settings = {
  ...records,
  ...listening,
  ...accounts,
  ...console,
  ...oidc,
  ...blobs,
  ...objects,
  ...media,
  ...outbound,
  ...live,
  ...devices,
  ...process,
} as const;

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

export const settingGroups: readonly SettingGroup[] = [
  group('Records', records),
  group('Listening', listening),
  group('Accounts and tokens', accounts),
  group('Console', console),
  group('Signing in with another provider', oidc),
  group('Bytes', blobs),
  group('Buckets and objects', objects),
  group('Media', media),
  group('Calls to others', outbound),
  group('Live', live),
  group('Devices', devices),
  group('The process', process),
];

function group(title: string, members: Readonly<Record<string, Setting<unknown>>>): SettingGroup {
  return { title, settings: Object.values(members) };
}
