import { statements } from '../statement.ts';

/** What holds for every call: encodings, names, answers, errors, hosts. */
export const generalStatements = [
  ...statements(
    { subject: 'general', from: 'interface', milestone: 'ground', where: 'Resources: EncodedEntryURI' },
    {
      'entry-01':
        'EncodedEntryURI is the URL-safe Base64 of `<bucket>:<key>`: stat with it answers for that object',
      'entry-02':
        'A key whose encoding needs `-` and `_` instead of `+` and `/` is found under the URL-safe form',
      'entry-03': 'A key of non-ASCII UTF-8 text is addressed by the encoding of its bytes',
    },
  ),
  ...statements(
    { subject: 'general', from: 'interface', milestone: 'ground', where: 'Errors' },
    {
      'error-01': 'A failed object call answers a JSON object with `error`, a string',
      'error-02': 'A server-side failure (database away) of an object call answers 599',
      'error-03': 'Status 612 reaches the client as 612 over real HTTP',
    },
  ),
  ...statements(
    { subject: 'general', from: 'interface', milestone: 'objects', where: 'Errors' },
    {
      'error-04': 'Status 613 and 478 reach the client as they are over real HTTP',
    },
  ),
  ...statements(
    { subject: 'general', from: 'interface', milestone: 'ground', where: 'Endpoints' },
    {
      'request-01': 'An object-management request with an empty body and form Content-Type is accepted',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'ground', where: 'encodings' },
    {
      'b64-01': 'Encoded parameters are accepted with and without `=` padding',
      'b64-02':
        'A character outside the URL-safe alphabet, `+` and `/` included, answers 400 `invalid argument`',
      'b64-03':
        'Non-zero trailing bits, or wrong padding, answer 400 `invalid argument`: two encodings never name one object',
      'b64-04': 'An entry splits at the first `:`: a key may contain `:`',
      'b64-05':
        '`bucket:` (empty key) and `bucket` (no key) differ: the first can name an object, the second answers 400 on stat',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'ground', where: 'keys' },
    {
      'key-01': 'A key that is not UTF-8 answers 400 `key must be utf8 encoding`',
      'key-02': 'A key of 750 bytes is stored and found, one of 751 bytes answers 400',
      'key-03': 'A key with a NUL byte answers 400',
      'key-04': 'Keys are not normalised: the composed and the decomposed form of one letter are two objects',
      'key-05': 'A key that begins with a byte order mark and the same key without it are two objects',
      'key-06':
        'Keys with `//`, `.`, `..` and a trailing slash are stored, read by URL and deleted as they are',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'ground', where: 'etag' },
    {
      'etag-01':
        'Content of at most 4 MiB: hash is URL-safe Base64 of 0x16 and its SHA-1 (empty: Fto5o-5ea0sNMlW_75VgGJCv2AcJ)',
      'etag-02':
        'Content above 4 MiB: hash is 0x96 and the SHA-1 of the SHA-1s of its 4 MiB blocks (begins with `l`)',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'uploads', where: 'etag' },
    {
      'etag-03':
        'A multipart upload with parts off the 4 MiB grid: hash is 0x9e and the SHA-1 over the part hashes (begins with `n`)',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'ground', where: 'every response' },
    {
      'reqid-01': 'A success carries a non-empty `X-Reqid`',
      'reqid-02':
        'Every failure carries `X-Reqid` too: 400, 401, 404 of no route, 405, 612, and a form that cannot be parsed',
      'reqid-03': 'Two requests never carry the same `X-Reqid`',
      'answer-01':
        'Errors of object and upload calls are `{"error": "…"}` with Content-Type application/json',
      'answer-02': 'An empty 200 answer carries Content-Type application/json',
      'answer-03': 'A path that no route knows answers 404 with `{"error": …}`',
      'answer-04': 'A known path with another method answers 405',
      'answer-05': 'A bad management credential answers 401 `bad token`',
      'answer-06': 'A missing object answers 612 `no such file or directory`',
      'answer-07': 'A missing bucket, where the interface names no code, answers 631 `no such bucket`',
      'answer-08': 'A signed body over 4 MiB answers 413',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'uploads', where: 'every response' },
    {
      'answer-09':
        'A preflight on the upload and download hosts is answered, and `X-Reqid` is an exposed header',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'objects', where: 'every response' },
    {
      'answer-10': 'CORS on downloads follows the rules of the bucket',
      'answer-11': 'A write over the quota of a bucket answers 403 `quota exceeded`',
      'answer-12': 'Calls over a rate limit answer 573 with `Retry-After`',
      'answer-13': 'A bucket of another region answers 400 `incorrect region`',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'users', where: 'cost before work' },
    {
      'cost-01': 'An upload whose body comes in chunks of one byte is stored as it was sent',
      'cost-02':
        'A body in tiny pieces is read more slowly once its network has sent 4,096 of them; others are read as before',
      'cost-03':
        'Of the requests that one connection sends before it has answers, 32 are served, and the next answers 573',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'ground', where: 'dialects' },
    {
      'dialect-01':
        'With the preset `svc` the words are `Svc`, `SvcCb`, `X-Svc-` and `x-svc-meta-`; `Qiniu` and `QBox` answer 401',
      'dialect-02':
        'With the preset `qiniu` the words are `Qiniu`, `QBox`, `X-Qiniu-` and `x-qn-meta-`; `Svc` answers 401',
      'dialect-03':
        'With `qiniu` a signature over the Host line with the port written twice is accepted, with `svc` it is 401',
      'host-01': 'Each role answers only its own calls: a path of another role on that host answers 404',
      'host-02': 'One listener can carry several roles, told apart by Host',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'processing', where: 'dialects' },
    {
      'dialect-04':
        'With `qiniu` POST /pfop without its slash is served, and processing calls also over plain HTTP',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'users', where: 'dialects' },
    {
      'dialect-05':
        "With `qiniu`, Qiniu's Node SDK uploads, manages, processes and verifies callbacks with only its hosts changed",
      'dev-01':
        '`millpond dev` opens one plain port for all roles and one TLS port, on loopback, and starts without a master key',
      'dev-02': 'HTTPS-only calls over plain HTTP on loopback are served under `millpond dev` and only there',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'users', where: 'general' },
    {
      'trace-01':
        'A request that was refused, failed or took long is kept with its steps: credentials, judgements, statements, engine calls, callbacks',
      'trace-02':
        'Only the account whose credential was proven sees it, without queries, tokens, values or bodies',
      'trace-03': 'It names the tasks, deliveries and acts in the audit log that it caused',
      'trace-04': 'Operators see every kept request',
    },
  ),
  ...statements(
    { subject: 'general', from: 'decision', milestone: 'users', where: 'start' },
    {
      'start-01':
        'A gateway that is started while the control database is away is alive, answers no requests, and says at `/readyz` what it waits for',
      'start-02': 'It serves as soon as the database is back, without being started again',
      'start-03': 'What waiting would not mend, such as a wrong password, ends it at once with the reason',
    },
  ),
  ...statements(
    { subject: 's3', from: 'decision', milestone: 'users', where: 's3' },
    {
      's3-torrent-01':
        'GetObjectTorrent answers 501 NotImplemented, whether the object exists or not, and reads nothing',
      's3-probe-01':
        "MinIO's health paths are answered: `live` with 200, `ready` and `cluster` with 200 or, while nothing could be served, 503; a line says our own path and port",
      's3-probe-02': "MinIO's paths of metrics answer 404 with a line that says our own path and port",
      's3-probe-03': 'A signed request for such a path means the bucket of that name',
      's3-service-01':
        "A call of another of AWS's services (POST / with an Action) is refused in the form of those services, and aws-cli prints it as a sentence",
    },
  ),
];
