/** Fields of a template: as received, and as shown. */
import { FIRST_ARCHIVE_CLASS, MAX_OBJECT_DAYS, type WireRecord } from '@millpond/protocol';
import { unixSeconds } from '../../../platform/web/index.ts';
import {
  booleanField,
  integerField,
  invalidField,
  patternField,
  stringField,
  type ValuesOf,
} from '../../../platform/web/resources/index.ts';
import type { TemplateRow } from '../streams.rows.ts';
import { checkPattern } from './file-names.ts';

const NAME = /^[a-zA-Z0-9_-]{1,100}$/;
const MAX_PATTERN_LENGTH = 300;
/** MP4; the list of segments for a time range (1) is made on request. */
const MP4 = 4;

export const templateFields = {
  name: patternField(NAME, '1 to 100 letters, digits, - and _'),
  desc: stringField(1000),
  templateType: integerField<0 | 1>(0, 1, 0),
  bucket: stringField(63),
  deleteAfterDays: integerField(0, MAX_OBJECT_DAYS, 0),
  // Recordings and snapshots are meant to be viewed, and an archive class would freeze them.
  fileType: integerField<0 | 1>(0, FIRST_ARCHIVE_CLASS - 1, 0),
  recordType: integerField<0 | 1 | 2>(0, 2, 0),
  recordFileFormat: integerField(0, 7, MP4),
  snapInterval: integerField(0, 86_400, 0),
  jpgOverwriteStatus: booleanField(),
  jpgSequenceStatus: booleanField(true),
  jpgOnDemandStatus: booleanField(true),
  mp4FileNameTemplate: stringField(
    MAX_PATTERN_LENGTH,
    `record/mp4/\${namespaceId}/\${streamId}/\${startMs}-\${endMs}.mp4`,
  ),
  jpgOverwriteFileNameTemplate: stringField(
    MAX_PATTERN_LENGTH,
    `snapshot/jpg/\${namespaceId}/\${streamId}.jpg`,
  ),
  jpgSequenceFileNameTemplate: stringField(
    MAX_PATTERN_LENGTH,
    `snapshot/jpg/\${namespaceId}/\${streamId}/\${startMs}.jpg`,
  ),
  jpgOnDemandFileNameTemplate: stringField(
    MAX_PATTERN_LENGTH,
    `snapshot/jpg/\${namespaceId}/\${streamId}/ondemand-\${startMs}.jpg`,
  ),
};
export type TemplateValues = ValuesOf<typeof templateFields>;

/** Rules that span several fields. */
export function checkTemplate(values: TemplateValues): void {
  if (values.name === '') throw invalidField('name is required');
  if (values.bucket === '') throw invalidField('bucket is required');
  if ((values.recordFileFormat & MP4) === 0 || values.recordFileFormat > MP4 + 1)
    throw invalidField('recordings are kept as MP4: recordFileFormat must be 4 or 5');
  checkPattern('mp4FileNameTemplate', values.mp4FileNameTemplate, ['streamId', 'startMs']);
  checkPattern('jpgOverwriteFileNameTemplate', values.jpgOverwriteFileNameTemplate, ['streamId']);
  checkPattern('jpgSequenceFileNameTemplate', values.jpgSequenceFileNameTemplate, ['streamId', 'startMs']);
  checkPattern('jpgOnDemandFileNameTemplate', values.jpgOnDemandFileNameTemplate, ['streamId', 'startMs']);
}

export function templateValues(row: TemplateRow): TemplateValues {
  return {
    name: row.name,
    desc: row.description,
    templateType: row.kind,
    bucket: row.bucket,
    deleteAfterDays: row.delete_after_days,
    fileType: row.storage_class,
    recordType: row.record_type,
    recordFileFormat: row.record_formats,
    snapInterval: row.snap_interval,
    jpgOverwriteStatus: row.jpg_overwrite,
    jpgSequenceStatus: row.jpg_sequence,
    jpgOnDemandStatus: row.jpg_on_demand,
    mp4FileNameTemplate: row.mp4_name,
    jpgOverwriteFileNameTemplate: row.jpg_overwrite_name,
    jpgSequenceFileNameTemplate: row.jpg_sequence_name,
    jpgOnDemandFileNameTemplate: row.jpg_on_demand_name,
  };
}

export function templateJson(row: TemplateRow): WireRecord<'Template'> {
  return {
    id: row.template_id,
    ...templateValues(row),
    createdAt: unixSeconds(row.created_at),
    updatedAt: unixSeconds(row.updated_at),
  };
}
