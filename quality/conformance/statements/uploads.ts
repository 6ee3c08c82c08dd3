import { statements } from '../statement.ts';

/** Upload with a token. */
export const uploadsStatements = [
  ...statements(
    { subject: 'uploads', from: 'interface', milestone: 'ground', where: 'Endpoints 11' },
    {
      'upload-01':
        'POST {upload_url}/ as multipart/form-data with key, token and file answers 200, and a GET returns the bytes',
      'upload-02': 'The field `key` names the object',
      'upload-03': 'The field `file` is the content: an empty file is stored with size 0',
      'upload-04':
        'A `file` of binary bytes, with line ends and boundary-like text in it, is stored byte for byte',
      'upload-05': 'Without the field `token` the upload is refused with 401',
      'upload-06': 'A token with a wrong signature is refused with 401 and stores nothing',
      'upload-07': 'A token whose policy was changed after signing is refused with 401',
      'upload-08': 'Fields `x:<name>` are accepted in the form and do not change what is stored',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'interface', milestone: 'uploads', where: 'Endpoints 11' },
    {
      'upload-09': 'With callbackUrl and persistentOps but no callbackBody the upload fails',
      'upload-10': 'With returnUrl the answer redirects with an `upload_ret` parameter',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'interface', milestone: 'processing', where: 'Endpoints 11' },
    {
      'upload-11':
        'With persistentOps and neither returnUrl nor callbackUrl the answer carries `persistentId`',
      'upload-12':
        'With persistentOps, returnUrl and no returnBody the decoded `upload_ret` carries `persistentId`',
      'upload-13': 'With a custom returnBody `$(persistentId)` gives the id',
      'upload-14': 'With a custom callbackBody `$(persistentId)` gives the id to the business server',
      'upload-15': 'With a custom returnBody that does not name it, no `persistentId` is in the answer',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'decision', milestone: 'ground', where: 'form upload' },
    {
      'form-01': 'Form fields come in any order: token, key and file in each order give the same object',
      'form-02': 'A token after a file of at most 8 MiB is accepted',
      'form-03': 'A token after a file above 8 MiB is refused with 400, and nothing of the file is stored',
      'form-04':
        'More than 64 MiB of files waiting for their token in one process, or half of it from one address: the next answers 573',
      'form-05':
        '`crc32` that matches, before or after `file`, is accepted; one that does not match answers 406 and stores nothing',
      'form-06': 'The answer is `{"hash": …, "key": …}` with Content-Type application/json',
      'form-07': 'Without the field `key` the key is the hash of the content',
      'form-08': 'An empty `key` field is the empty key, not the hash',
      'form-09': 'Without the field `file`, or with a body that is not multipart, the answer is 400',
      'form-10': 'A chunked body without Content-Length is accepted',
      'form-11': 'A body cut off before its closing boundary stores nothing',
      'form-12': 'An unknown access key in the token answers 401 `bad token`',
      'form-13':
        'More than 64 fields, more than 512 KiB of fields, or part headers over 8 KiB answer 400 and store nothing',
      'form-14':
        'A client that leaves in the middle of the file leaves no object and no readable bytes behind',
      'form-15': 'An answered upload is readable at once on every gateway, and after a kill of the server',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'decision', milestone: 'uploads', where: 'form upload' },
    {
      'form-16': 'Fields `x-svc-meta-<name>` set custom metadata: stat shows them',
      'form-17': 'The field `accept` sets the Content-Type of the answer',
      'form-18': 'With callbackUrl and returnUrl both set the callback is made and no redirect is sent',
      'form-19': 'A browser form from another origin can upload: preflight and answer carry the CORS headers',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'decision', milestone: 'uploads', where: 'returnUrl' },
    {
      'return-01':
        'returnUrl answers 303 with Location `<returnUrl>?upload_ret=<URL-safe Base64 of the JSON>`',
      'return-02':
        'A returnUrl that has a query gets `&upload_ret=`, one with a fragment keeps it at the end',
      'return-03': 'upload_ret holds returnBody filled in, or hash and key without one',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'decision', milestone: 'users', where: 'small objects' },
    {
      'small-01':
        'An object up to MILLPOND_SMALL_OBJECTS is stored and read while the store is away, also through another gateway',
      'small-02': 'After it was packed it is read from the pack, whole and in part, as it was',
      'small-03':
        'Its copies, moves and deletions are those of any object, before and after it was packed, also when what is left is rewritten',
      'small-04':
        'The size can be changed, also to none, at any time: what was written before is read as before',
      'small-05': 'At MILLPOND_SMALL_INBOX bytes go to the store at once',
    },
  ),
];
