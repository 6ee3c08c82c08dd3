import { statements } from '../statement.ts';

/** Change object metadata, as the interface describes it. */
export const objectsStatements = [
  ...statements(
    { subject: 'objects', from: 'interface', milestone: 'objects', where: 'Endpoints 2' },
    {
      'chgm-01':
        'POST /chgm/<EncodedEntryURI>/mime/<EncodedMimeType> changes the MIME type: stat and GET show the new one',
      'chgm-02':
        'A path with only a `/x-svc-meta-<meta_key>/<EncodedMetaValue>` pair sets that metadata: stat shows it',
      'chgm-03':
        'A path with a meta pair and cond and no mime segment (the published sample) is accepted and changes the metadata only',
      'chgm-04':
        'A path with mime, a meta pair and cond changes type and metadata when the condition matches',
      'chgm-05': 'A path with mime and cond and no meta pair changes the type when the condition matches',
      'chgm-06': 'Two meta pairs in one call are both set',
      'chgm-07':
        'EncodedMimeType is URL-safe Base64, padded or not: the type arrives as written, and other alphabets are refused',
      'chgm-08': 'EncodedMetaValue is URL-safe Base64: the value that stat shows is the decoded one',
      'chgm-09': 'cond `hash=<current hash>` matches: the change is applied',
      'chgm-10': 'cond `mime=<current type>` matches: the change is applied',
      'chgm-11': 'cond `fsize=<current size>` matches: the change is applied',
      'chgm-12': 'cond `putTime=<current putTime>` matches: the change is applied',
      'chgm-13': 'cond with two conditions joined by `&`, both true: the change is applied',
      'chgm-14': 'cond with two conditions joined by `&`, one of them false: 613 and nothing changes',
      'chgm-15': 'A cond that does not match leaves the MIME type and every meta pair as they were',
      'chgm-16': 'A 200 answer has an empty body and Content-Type application/json',
      'chgm-17':
        'The call carries Content-Type application/x-www-form-urlencoded, `X-Svc-Date` and `Svc` Authorization and is accepted',
      'chgm-18':
        '`X-Svc-Date` has the form yyyymmddThhmmssZ: a signed date of that form and the present time is accepted',
      'chgm-19': 'The call is served on the object management host',
      'chgm-20': 'The request body is empty: the call is accepted with Content-Length 0',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'interface', milestone: 'objects', where: 'Errors: Change metadata' },
    {
      'err-chgm-01': 'An EncodedEntryURI that cannot be parsed: 400 `invalid argument`',
      'err-chgm-02': 'An entry that is not UTF-8: 400 `key must be utf8 encoding`',
      'err-chgm-03': 'A MIME type outside the rules: 400 `Invalid mimeType`',
      'err-chgm-04': 'An invalid management credential: 401',
      'err-chgm-05': 'An archive object that was not restored: 403 `archive unrestored`',
      'err-chgm-06': 'A deep-archive object that was not restored: 403 `deep archive unrestored`',
      'err-chgm-07': 'A key that does not exist: 612',
      'err-chgm-08': 'cond hash that does not match: 613 `cond not match`',
      'err-chgm-09': 'cond mime that does not match: 613 `cond not match`',
      'err-chgm-10': 'cond fsize that does not match: 613 `cond not match`',
      'err-chgm-11': 'cond putTime that does not match: 613 `cond not match`',
      'err-chgm-12': 'A server-side failure (database away): 599',
      'err-chgm-13': 'Every failure body is a JSON object with `error`, a string',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'interface', milestone: 'objects', where: 'Limits' },
    {
      'mime-01': 'A MIME type of letters a-z, A-Z and digits is accepted',
      'mime-02': 'A MIME type with `.`, `+`, `/` and `-` (application/vnd.a-b+xml) is accepted',
      'mime-03': 'A MIME type with `;`, `=`, `,`, `_` and space (text/plain; charset=utf_8, x) is accepted',
      'mime-04': 'A MIME type with `%` is refused with 400: there is no escaping',
      'mime-05':
        'A MIME type with any other character (`"`, `:`, a tab, a non-ASCII letter) is refused with 400',
      'mime-06': 'An empty MIME type is accepted',
      'mime-07': 'A MIME type of 200 bytes is accepted, one of 201 bytes is refused with 400',
      'meta-01': 'A meta value of the characters allowed for MIME types is accepted',
      'meta-02': 'A meta value with `%` is refused with 400',
      'meta-03': 'A meta value with any other character outside the set is refused with 400',
      'meta-04': 'A meta_key of letters, digits, underscore and hyphen is accepted',
      'meta-05': 'A meta_key with any other character (`.`, `!`, a non-ASCII letter) is refused with 400',
      'meta-06': 'A meta_key of 50 bytes is accepted, one of 51 bytes is refused with 400',
      'meta-07': 'Meta keys and values of 1024 bytes in sum are accepted, of 1025 bytes refused with 400',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'interface', milestone: 'ground', where: 'What the service does 1' },
    {
      'object-01':
        'An object is addressed by bucket and key: one key in two buckets holds two contents, each read back from its own',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'interface', milestone: 'objects', where: 'Resources: Object metadata' },
    {
      'object-02':
        'An object has a MIME type and custom pairs: both are shown by stat after they were set with the prefix `x-svc-meta-`',
    },
  ),
];
