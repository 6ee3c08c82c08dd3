import { statements } from '../statement.ts';

/** Decisions on the upload policy, its remaining fields and its variables. */
export const policyDecisions = [
  ...statements(
    { subject: 'policy', from: 'decision', milestone: 'ground', where: 'upload policy' },
    {
      'policy-rule-01': 'A scope over 750 bytes answers 400',
      'policy-rule-02':
        'Different content under an existing key of an insert-only policy answers 614 `file exists`',
      'policy-rule-03': 'Identical content leaves the object as it is: same hash, same putTime',
      'policy-rule-04':
        'Two racing uploads of different content under scope `<bucket>`: exactly one answers 200, the other 614',
      'policy-rule-05':
        'Two racing uploads of identical content under scope `<bucket>`: both answer 200, one object, one putTime',
      'policy-rule-06': "A key outside the scope answers 403 with the text `key doesn't match with scope`",
      'policy-rule-07': 'The scope splits at its first `:`: `b:a:c` means the key `a:c`',
      'policy-rule-08':
        'An empty prefix with isPrefixalScope 1 (`b:`) matches every key and still never overwrites',
      'policy-rule-09': 'A deadline in the past answers 401',
      'policy-rule-10': 'A deadline that passes while the bytes arrive answers 401 and stores nothing',
      'policy-rule-11':
        'A policy without scope or deadline, or one that is not JSON, answers 400 and stores nothing',
      'policy-rule-12': 'A policy field of the wrong JSON type answers 400 before the file is read',
      'policy-rule-13':
        "A scope whose bucket does not exist, or is not of the key's account, answers 631 with identical bodies",
      'policy-size-01':
        'A file larger than `fsizeLimit` answers 413 and stores nothing; one of exactly that size is stored',
      'policy-size-02':
        'A file smaller than `fsizeMin` answers 403 and stores nothing; one of exactly that size is stored',
      'policy-type-01':
        '`mimeLimit` `image/*` refuses a text file and what is not recognised with 403, whatever type or name the client gives, and takes a PNG',
      'policy-type-02':
        '`mimeLimit` with `;` takes each of its types; a leading `!` turns the list into refusals',
      'policy-type-03':
        "`detectMime` 0: the client's type is kept; without one it is found by name, then by content",
      'policy-type-04': "`detectMime` 1: the client's type is ignored, the content decides",
      'policy-type-05': "`detectMime` -1: the client's type is taken whatever the content",
      'policy-type-06': 'Content and names that tell nothing give application/octet-stream',
      'policy-type-07':
        'A client type outside the character set is never refused: the object gets the detected type',
      'judge-upload-01':
        'A form that cannot be parsed up to its file, or that has no file, answers 400 before its token is judged',
      'judge-upload-02': 'A bad token answers 401 before its policy is judged',
      'judge-upload-03':
        'A bad policy answers 400 before the bucket is looked up; a missing bucket 631 before the key is held to the scope',
      'judge-upload-04': 'A key outside the scope answers 403 before its existence can be seen as 614',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'decision', milestone: 'uploads', where: 'upload policy' },
    {
      'policy-rule-14': 'Identical content under scope `<bucket>` runs the callback again',
      'policy-rule-15':
        'A multipart upload of the same bytes in another shape counts as different content: 614 with insertOnly 1',
      'policy-name-01':
        "Names: forceSaveKey with saveKey first, then the client's key, then saveKey, then the hash",
      'policy-name-02': 'saveKey fills its variables, the date parts included',
      'policy-name-03': 'forceSaveKey without saveKey answers 400',
      'policy-name-04': '`keylimit`: a key on the list is stored, one off it or none answers 403',
      'policy-field-01': '`endUser` is shown by stat and fills `$(endUser)`',
      'policy-field-02': '`deleteAfterDays`: the object is gone after that many days',
      'policy-field-03':
        '`trafficLimit` outside 819200 to 838860800 answers 400; inside it, the upload is slowed to it',
      'policy-field-04': '`fileType` 4 or a word answers 400',
      'policy-ops-rule-01': 'persistentOps without persistentNotifyUrl answers 400 before anything is stored',
      'policy-ops-rule-02':
        'persistentOps with persistentWorkflowTemplateID answers 400 before anything is stored',
      'policy-ops-rule-03': 'persistentType other than 0 or 1, or 1 with a pipeline, answers 400',
      'policy-ops-rule-04': 'persistentOps with fileType 2 or 3 answers 400',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'decision', milestone: 'uploads', where: 'variables' },
    {
      'var-rule-01':
        'bucket, key, etag, fname, fsize, mimeType, endUser, ext, fprefix, keybase and uuid are filled from the upload',
      'var-rule-02':
        'In a JSON template an unquoted string variable becomes a JSON string, a number stays a number',
      'var-rule-03':
        'In a JSON template a variable inside quotes becomes an escaped fragment: the body stays valid JSON',
      'var-rule-04': 'In a form template values are URL-encoded',
      'var-rule-05': 'A value that looks like a variable is not expanded again',
      'var-rule-06': 'A variable without a value is null in JSON and empty in a form',
      'var-rule-07': '`$(imageInfo.width)` of an image upload is its width; of a text file it is null',
      'var-rule-08':
        '`$(exif.…)` and `$(avinfo.…)` are filled from the content within 5 s, else null, and never run in the gateway process',
      'var-rule-09': 'A returnBody that is not JSON once filled answers 400',
      'var-rule-10': '`$(bodySha1)` in callbackUrl is the hex SHA-1 of the callback body',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'decision', milestone: 'processing', where: 'upload policy' },
    {
      'policy-ops-rule-05':
        'Identical content under scope `<bucket>` runs persistentOps again: a new persistentId',
      'policy-ops-rule-06':
        'An unknown command or pipeline in persistentOps answers 400 before anything is stored',
      'policy-ops-rule-07':
        'A task of an upload replaces no object: what is under the key of a result stays, and its item has returnOld 1 with the old hash',
      'policy-ops-rule-08':
        '`persistentOpsForce` 1: results replace existing objects, of persistentOps and of a template',
      'policy-ops-rule-09': 'persistentOpsForce other than 0 or 1 answers 400',
    },
  ),
];
