import { statements } from '../statement.ts';

/** Places where this interface is easy to get wrong, each with at least one named test. */
export const trapStatements = [
  ...statements(
    { subject: 'callbacks', from: 'trap', milestone: 'uploads', where: 'upload callback' },
    {
      G1: 'Object, task and delivery are committed before the callback is sent; a failed callback gives 579 and the object stays',
      G2: 'No lock is held during the callback: a receiver that changes the same key from its handler succeeds',
      G3: 'A callback answer of 200 with HTML, with an empty body, invalid JSON or over 1 MB, and a 3xx, each give 579',
      G4: 'The 579 body is a string holding JSON with all eight fields, the token of the upload and no secret',
      G5: 'A permanent failure never answers a status that SDKs retry: 579 for the callback, 612 and 614 where they belong, 599 for our faults only',
      G6: 'callbackUrl without callbackBody: 400 before the file is read with persistentOps, an empty callback body without',
      G9: 'A file name `a&admin=1` in a form template and `","role":"root` in a JSON template stay plain values',
      G10: 'A JSON callback carries Standard Webhooks headers, since its own signature leaves the body out',
      G11: 'A crash between commit and callback: the callback is listed as unsent, and a retried upload succeeds and calls back',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'trap', milestone: 'ground', where: 'form upload' },
    {
      G7: 'The whole policy is judged before the file is consumed, and token, key and variables may come after `file`',
      G8: 'A deadline that passes during the upload refuses it at the end: it is judged at the start and at the commit',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'trap', milestone: 'processing', where: 'form upload' },
    {
      G12: 'The persistentId in a callback body can be queried from within the callback',
    },
  ),
  ...statements(
    { subject: 'uploads', from: 'trap', milestone: 'uploads', where: 'returnUrl' },
    {
      G13: 'upload_ret is added rightly to a returnUrl with a query; CR, LF and `javascript:` in it are refused',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'trap', milestone: 'ground', where: 'scope' },
    {
      G14: 'Each form of scope, with and without insertOnly and isPrefixalScope, allows and refuses just what it says, split at the first colon',
      G15: 'Racing uploads of different content: exactly one 200; of identical content: all 200, one object, putTime set once',
      G16: 'An upload refused because the key exists answers 614',
    },
  ),
  ...statements(
    { subject: 'objects', from: 'trap', milestone: 'objects', where: 'change metadata' },
    {
      G17: 'Condition, check and change see one version: of racing conditional changes one wins, the others get 613, never a lost change',
      G18: 'Racing additions of metadata never leave more than 1024 bytes in sum; values go out as safe headers',
      G19: 'An empty MIME with `//` in the path reaches us and restores the detected type',
      G20: 'One content has one documented hash by each way of upload, so that cond and identical content agree across them',
      G21: 'putTime has 17 digits, grows with each write of a key, and is left alone by chgm: a chain of cond putTime changes passes',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'trap', milestone: 'objects', where: 'restore' },
    {
      G22: 'An overwrite, delete or class change during a restore leaves no state of the old object on the new one',
      G23: 'restoreAr: restoring answers 200 without a reset, restored 400, after the window it is frozen and can be restored again',
      G24: 'freezeAfterDays `0`, `8`, `01`, `+1`, `1.0`, `1e0` and `%31` each answer 400 `invalid freeze after days`',
      G25: 'Restore times survive restarts and clock jumps of a gateway',
    },
  ),
  ...statements(
    { subject: 'archive', from: 'trap', milestone: 'processing', where: 'restore' },
    {
      G26: 'pfop on a frozen source answers 403; persistentOps with an archive class answers 400',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'trap', milestone: 'processing', where: 'tasks' },
    {
      G27: 'returnOld is judged at the start and at the commit; without force the loser of a race returns the winner, with force the last wins',
      G28: 'The source is pinned at submit: deleted or overwritten meanwhile, the task still works on the pinned version or ends with code 3',
      G29: 'A missing source is 404, an unknown task 612, a missing slash 301',
      G30: 'Only the codes 0 to 3 are ever seen, also when the notification fails; a task with a failed item is 3',
      G31: 'The JSON types of id, errorIndex, uid and parent_uid are pinned by a golden answer',
      G32: 'A task id holds at least 128 random bits, queries are limited per address, and after 10 days it is 612',
      G33: 'taskFrom of a trigger is spelled `tigger:`',
      G34: 'The shared queue is fair across accounts; idle with a pipeline, or with an operation off the list, is 400',
    },
  ),
  ...statements(
    { subject: 'fetch', from: 'trap', milestone: 'objects', where: 'fetch' },
    {
      G35: 'Client gone, deadline, length mismatch or a cut chunked body: the origin download stops and nothing is stored',
    },
  ),
  ...statements(
    { subject: 'mirror', from: 'trap', milestone: 'objects', where: 'prefetch' },
    {
      G36: '478 for every origin answer but 200 and 404: 3xx, 204, 206, 4xx, 5xx, time-out and refused connection',
      G37: 'A slow prefetch that overwrites a newer upload leaves the replaced version in the trash, to be brought back',
    },
  ),
  ...statements(
    { subject: 'outbound', from: 'trap', milestone: 'objects', where: 'outbound requests' },
    {
      G38: 'Fetch, mirror, callback, notification and live events all refuse denied addresses; EncodedHost sets Host and SNI only',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'trap', milestone: 'accounts', where: 'errors' },
    {
      G39: 'permission_denied is 401, unauthorized_client 403, failed_request 417, record_not_found 400, a wrong method 405',
      G40: 'Racing create_child calls with one e-mail: one 200, the rest 409, 10; a flood of passwords leaves other calls quick',
      G41: 'limit 0, 1001 and abc and offset -1 answer 400, 8; the order by uid is numeric and stable under inserts',
    },
  ),
  ...statements(
    { subject: 'tokens', from: 'trap', milestone: 'accounts', where: 'tokens' },
    {
      G42: 'Double refresh, a lost answer and reuse after rotation behave as decided; errors carry no-store too',
    },
  ),
  ...statements(
    { subject: 'deliveries', from: 'trap', milestone: 'deliveries', where: 'deliveries' },
    {
      G43: 'Flaps with failing tries between them: the last event told about an entity is its true last state',
      G44: 'When a notification arrives the final state can already be read',
    },
  ),
  ...statements(
    { subject: 'general', from: 'trap', milestone: 'ground', where: 'platform' },
    {
      G45: 'Status codes from 600 on reach the client unchanged, also through the shipped nginx configuration',
      G46: 'A key with NUL answers 400, never 599, and keys are ordered by bytes',
      G47: 'Not yours and not there answer identically but for X-Reqid and Date',
      G48: 'An encoded key of 750 bytes is routed, and a form above 1 MiB is taken: no framework default cuts them off',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'trap', milestone: 'deliveries', where: 'signatures' },
    {
      G49: 'Every signature that we send to a receiver, replayed against our own hosts, answers 401',
    },
  ),
];
