import { statements } from '../statement.ts';

/** Decisions on metadata changes, and the companions of the object calls. */
export const objectsDecisions = [
  ...statements(
    { subject: 'objects', from: 'decision', milestone: 'objects', where: 'change metadata' },
    {
      'chgm-rule-01': 'A path with neither mime nor a meta pair answers 400',
      'chgm-rule-02':
        'A named meta key replaces its old value and leaves the other keys of the object as they were',
      'chgm-rule-03': 'An empty meta value removes that key',
      'chgm-rule-04': 'An empty MIME (`/mime//`) sets the type that was detected from the content at upload',
      'chgm-rule-05':
        'The 1024-byte sum counts the merged result: a small addition to nearly full metadata answers 400',
      'chgm-rule-06':
        'cond splits on `&` and then at the first `=`, without percent or plus decoding: `mime=image/svg+xml` matches that type',
      'chgm-rule-07': 'An unknown cond key answers 400',
      'chgm-rule-08':
        '64 concurrent changes under the same cond on a version: exactly one answers 200 per version, the others 613',
      'chgm-rule-09':
        'Any change, metadata alone included, to a frozen or still restoring object answers 403',
      'chgm-rule-10': 'Meta keys are lower-cased: `x-svc-meta-Color` is shown as `color`',
      'chgm-rule-11': 'A fault in a meta value answers 400 `invalid argument`',
      'chgm-rule-12': 'A metadata change leaves putTime as it was',
      'chgm-rule-13': "A missing bucket and another account's bucket answer 612 with identical bodies",
      'chgm-rule-14': 'An entry of the bucket alone answers 400',
      'chgm-rule-15': 'A frozen object with a cond that does not match answers 403, not 613',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'decision', milestone: 'users', where: 'response headers' },
    {
      'headers-01':
        '`x-svc-meta-!<header>` sets Cache-Control, Content-Disposition, Content-Encoding, Content-Language and Expires of an object in forms, completions, mkfile and chgm, in both dialects; 200, 206, 304 and HEAD carry them as they were set; stat and lists show them',
      'headers-02':
        'The policy’s `responseHeaders` count instead of what the client says; an empty text there means that there is none',
      'headers-03':
        'A value that the grammar of its field does not allow, and a header that can’t be set, answer 400 with a hint, and nothing is stored',
      'headers-04':
        'A response header has at most 1024 bytes, all of an object 2048 with their names; they do not count towards the 1024 bytes of metadata',
      'headers-05':
        'Copy, move, undelete, changes of class and merges keep response headers; an overwrite replaces them',
      'headers-06':
        '`attname` counts before Content-Disposition; no Content-Disposition of an owner lets an active type be shown at a host that is not the bucket’s own',
      'headers-07': 'Refusals and failures of a download carry no response headers of the object',
      'headers-08':
        'What an origin says in these headers stays with what is fetched, prefetched or mirrored, where it is valid',
      'headers-09': 'A download by nginx or by a redirect carries the same response headers',
      'headers-10': 'What a command makes of an image has its Cache-Control and Expires, and no others',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'decision', milestone: 'ground', where: 'stat' },
    {
      'stat-01':
        'GET and POST /stat/<EncodedEntryURI> answer fsize, hash, mimeType, type and putTime of the object',
      'stat-02':
        '`putTime` is printed as a JSON number of 100 ns units (17 digits), exactly, though it passes 2^53',
      'stat-03': 'stat of a missing key answers 612 `no such file or directory`',
      'stat-04': 'stat of an entry of the bucket alone answers 400',
      'stat-05':
        "stat in a missing bucket and in another account's bucket answer with identical status and body",
      'stat-06':
        'Two uploads to one key: the second putTime is greater than the first, also within one clock tick',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'decision', milestone: 'ground', where: 'delete' },
    {
      'delete-01': 'POST /delete/<EncodedEntryURI> answers 200; stat then answers 612 and GET 404',
      'delete-02': 'delete of a missing key answers 612',
      'delete-03': 'An upload to a deleted key under scope `<bucket>` succeeds and gets a greater putTime',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'decision', milestone: 'objects', where: 'companions' },
    {
      'copy-01':
        'POST /copy/<E>/<E> makes a second object with the same bytes, hash and type; the source stays',
      'copy-02':
        'copy onto an existing key answers 614, with `/force/true` it overwrites; a missing source answers 612',
      'move-01': 'POST /move/<E>/<E>: the target holds the object and the source answers 612',
      'move-02': 'move onto an existing key answers 614, with `/force/true` it overwrites',
      'chstatus-01':
        'POST /chstatus/<E>/status/1 makes downloads answer 403 and stat show status 1; status 0 opens it again',
      'expire-01':
        'POST /deleteAfterDays/<E>/<n> sets the day of removal; the object is gone after it; 0 cancels',
      'lifecycle-01':
        'POST /lifecycle/<E>/toIAAfterDays/n/… sets the given ages, -1 cancels one, 0 leaves it',
      'batch-01': 'POST /batch with two `op` fields answers an array of two `{code, data}` in the order sent',
      'batch-02':
        "A batch of which one operation fails answers 298 with that operation's code and error in its place",
      'batch-03': 'A batch of 1,000 operations is accepted, one of 1,001 answers 400',
      'batch-04': 'Operations written with and without a leading slash are both accepted',
      'list-01':
        '/list answers the keys of a bucket in byte order, at most `limit` (1 to 1000, default 1000) of them',
      'list-02':
        'The marker of a page gives the next page: all pages together hold every key once; the last has no marker',
      'list-03':
        '`prefix` narrows to keys that begin with it; `delimiter` folds the rest into commonPrefixes, which count to limit',
      'list-04': 'A marker that cannot be read answers 640',
      'list-05': '/v2/list streams one JSON object per line with item, dir and marker',
      'undelete-01':
        'What was deleted or overwritten comes back by `millpond undelete` within the grace period, with bytes and metadata',
      'undelete-02': 'After the grace period `millpond undelete` refuses and says why',
      'trash-01':
        'The owner of a bucket lists what was deleted or replaced in it, by key, the latest first, by prefix and in pages',
      'trash-02':
        'The owner brings versions back by id, also under another key; nothing is replaced, the quota holds, and what cannot come back says why',
      'trash-03': 'Keys with limits see and bring back only what their limits allow',
      'trash-04': 'The trash can be listed and brought back by command',
      'bulk-01':
        'POST /v1/bulk deletes, restores, copies, moves or changes the class of all objects under a prefix or of named ones, each as by its single operation',
      'bulk-02': 'POST /v1/bulk packs objects under a prefix into one archive, without what cannot be read',
      'bulk-03':
        'Such work leaves alone what was put after it was submitted; it is listed, shown and stopped by its account only',
      'bulk-04':
        'A key with limits starts such work only if it may do it with all that is named, and sees its own',
      'bulk-05': 'Such work is started, waited for, listed, shown and stopped by command',
      'bulk-06':
        'A worker that is killed in the middle of it leaves nothing undone, done twice or counted twice',
      'preview-01':
        'POST /v1/lifecycle/preview counts what a rule would do now beside the other rules of the bucket, and changes nothing',
      'usage-01':
        'Usage of an account and a bucket (bytes, objects, requests) can be read by a call and by a command',
    },
  ),
];
