import { statements } from '../statement.ts';

/** Restore of archive and deep-archive objects, and the storage classes behind it. */
export const archiveStatements = [
  ...statements(
    { subject: 'archive', from: 'interface', milestone: 'objects', where: 'Endpoints 3' },
    {
      'restore-01':
        'POST /restoreAr/<EncodedEntryURI>/freezeAfterDays/<1-7> on an archive object answers 200',
      'restore-02': 'The same call on a deep-archive object answers 200',
      'restore-03': 'A 200 answer has an empty body',
      'restore-04':
        'The call carries form Content-Type, `X-Svc-Date` and `Svc` Authorization with an empty body and is accepted',
      'restore-05': 'A path without EncodedEntryURI answers 400',
      'restore-06': 'A path without FreezeAfterDays answers 400',
      'restore-07': 'The call is served on the object management host',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'interface', milestone: 'objects', where: 'Limits' },
    {
      'restore-days-01': 'FreezeAfterDays 1 is accepted',
      'restore-days-02': 'FreezeAfterDays 7 is accepted',
      'restore-days-03': 'FreezeAfterDays 0 and 8 are refused with 400',
      'restore-days-04': 'FreezeAfterDays that is a fraction or a word is refused with 400',
      'restore-time-01':
        'An archive object is restored no sooner than 1 minute and no later than 5 minutes after the call',
      'restore-time-02':
        'A deep-archive object is restored no sooner than 5 hours and no later than 12 hours after the call',
      'restore-time-03': 'A restored object stays readable for the FreezeAfterDays asked for',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'interface', milestone: 'objects', where: 'States and transitions' },
    {
      'archive-state-01': 'Unrestored archive object and restoreAr: after completion a GET returns its bytes',
      'archive-state-02':
        'Unrestored deep-archive object and restoreAr: after completion a GET returns its bytes',
      'archive-state-03':
        'Between restoreAr and completion a metadata change of an archive object answers 403',
      'archive-state-04':
        'Between restoreAr and completion a metadata change of a deep-archive object answers 403',
      'archive-state-05':
        'Restored object and restoreAr: 400 `archive already restored`, and the end of its window is unchanged',
      'archive-state-06': 'Restored object and metadata change: the MIME type changes, answer 200',
      'archive-state-07': 'Frozen object and MIME change: 403, and the type is unchanged',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'interface', milestone: 'objects', where: 'Errors: Restore' },
    {
      'err-restore-01': 'An entry with an empty bucket: 400 `invalid argument`',
      'err-restore-02': 'An object name that is not UTF-8: 400 `key must be utf8 encoding`',
      'err-restore-03': 'A restored archive object: 400 `archive already restored`',
      'err-restore-04': 'A restored deep-archive object: 400 `archive already restored`',
      'err-restore-05': 'An invalid FreezeAfterDays: 400 `invalid freeze after days`',
      'err-restore-06': 'An invalid management credential: 401',
      'err-restore-07': 'A standard object: 403 `operation only allowed for archive or deep archive`',
      'err-restore-08':
        'An infrequent-access object: 403 `operation only allowed for archive or deep archive`',
      'err-restore-09': 'A key that does not exist: 612',
      'err-restore-10': 'A server-side failure: 599',
      'err-restore-11': 'Every failure body is a JSON object with `error`, a string',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'decision', milestone: 'objects', where: 'restore' },
    {
      'restore-rule-01':
        'A second restoreAr while restoring answers 200 and changes neither the ready time nor the window',
      'restore-rule-02': 'The window starts when the restore completes, not when it was asked for',
      'restore-rule-03':
        'When the window ends the object is frozen: GET answers 403, and a new restoreAr is accepted',
      'restore-rule-04':
        'Defaults are 1 minute (archive) and 5 hours (deep archive); a setting outside the published ranges is refused at start',
      'restore-rule-05': 'A time factor shortens restores and windows in development',
      'restore-rule-06':
        'stat shows restoreStatus 1 while restoring, 2 when restored, and no such field when frozen',
      'restore-rule-10':
        'Lists show the same fields of a restore as stat, with a delimiter and without; lists of S3 show RestoreStatus to who asks for it, and `millpond ls` the state behind the key',
      'restore-rule-07': "A missing bucket and another account's bucket answer 612 with identical bodies",
      'restore-rule-08':
        'The state follows the database clock: a gateway whose clock is hours off answers the same',
      'restore-rule-09': 'While an object is restored, stat says when it can be read (`waitingFor`)',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'decision', milestone: 'objects', where: 'storage classes' },
    {
      'class-01': 'Classes are 0, 1, 2 and 3: a chtype or `fileType` of 4, -1 or a word answers 400',
      'class-02':
        'An upload with policy `fileType` 2 or 3 stores an archive or deep-archive object; stat shows it as `type`',
      'class-03': 'POST /chtype/<E>/type/<0-3> answers 200 and stat shows the new class at once',
      'class-04':
        'GET of a frozen archive object answers 403 `archive unrestored`, of a deep-archive one `deep archive unrestored`',
      'class-05': 'copy and move of a frozen object answer 403, of a restored one succeed',
      'class-06': 'chtype out of classes 2 and 3 answers 403 unless the object is restored',
      'class-07':
        'A worker killed while moving bytes between tiers: class and readable bytes agree afterwards',
    },
  ),
];
