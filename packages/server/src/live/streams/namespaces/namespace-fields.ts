/** Fields of a namespace: as received, and as shown. */

import type { WireRecord } from '@millpond/protocol';
import { unixSeconds } from '../../../platform/web/index.ts';
import {
  booleanField,
  integerField,
  invalidField,
  patternField,
  stringField,
  type ValuesOf,
} from '../../../platform/web/resources/index.ts';
import { DEFAULT_OFFLINE_DELAY_SECONDS } from '../../limits.ts';
import type { NamespaceRow } from '../streams.rows.ts';

const NAME = /^[a-zA-Z0-9_-]{1,100}$/;
const TEMPLATE = /^[a-z0-9]{0,12}$/;

export const namespaceFields = {
  name: patternField(NAME, '1 to 100 letters, digits, - and _'),
  desc: stringField(1000),
  accessType: patternField<'rtmp' | 'gb28181'>(/^(?:rtmp|gb28181)$/, 'rtmp or gb28181', 'rtmp'),
  callback: stringField(2048),
  offlineDelay: integerField(0, 60, DEFAULT_OFFLINE_DELAY_SECONDS),
  rtmpUrlType: integerField<1 | 2>(1, 2, 1),
  recordTemplateId: patternField(TEMPLATE, 'the id of a template'),
  snapshotTemplateId: patternField(TEMPLATE, 'the id of a template'),
  recordTemplateApplyAll: booleanField(),
  snapshotTemplateApplyAll: booleanField(),
};
export type NamespaceValues = ValuesOf<typeof namespaceFields>;

/** Checks what a change may not touch: a namespace holds either devices or streams, for good. */
export function changedNamespace(row: NamespaceRow, change: Partial<NamespaceValues>): NamespaceValues {
  const before = valuesOf(row);
  if (change.accessType !== undefined && change.accessType !== before.accessType)
    throw invalidField('accessType cannot be changed');
  const values = { ...before, ...change };
  if (values.name === '') throw invalidField('name is required');
  return values;
}

function valuesOf(row: NamespaceRow): NamespaceValues {
  return {
    name: row.name,
    desc: row.description,
    accessType: row.access_type,
    callback: row.callback,
    offlineDelay: row.offline_delay,
    rtmpUrlType: row.url_type,
    recordTemplateId: row.record_template_id ?? '',
    snapshotTemplateId: row.snapshot_template_id ?? '',
    recordTemplateApplyAll: row.is_record_for_all,
    snapshotTemplateApplyAll: row.is_snapshot_for_all,
  };
}

export function namespaceJson(row: NamespaceRow): WireRecord<'Namespace'> {
  return {
    id: row.ns_id,
    ...valuesOf(row),
    disabled: row.is_disabled,
    createdAt: unixSeconds(row.created_at),
    updatedAt: unixSeconds(row.updated_at),
  };
}
