/**
 * Every setting of the server, once. The reference page of the documentation is generated from this table, with a section for
 * each group.
 */

import type { Setting } from '../setting-kinds.ts';
import { accounts } from './accounts.settings.ts';
import { blobs } from './blobs.settings.ts';
import { console } from './console.settings.ts';
import { records } from './database.settings.ts';
import { devices } from './devices.settings.ts';
import { listening } from './listening.settings.ts';
import { live } from './live.settings.ts';
import { media } from './media.settings.ts';
import { objects } from './objects.settings.ts';
import { oidc } from './oidc.settings.ts';
import { outbound } from './outbound.settings.ts';
import { process } from './process.settings.ts';
import { trash } from './trash.settings.ts';

export type { Setting } from '../setting-kinds.ts';

export const settings = {
  ...records,
  ...listening,
  ...accounts,
  ...console,
  ...oidc,
  ...blobs,
  ...trash,
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
  group('Trash', trash),
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
