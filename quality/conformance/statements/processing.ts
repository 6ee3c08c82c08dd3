import { statements } from '../statement.ts';

/** Submit persistent processing, as the interface describes it. */
export const processingStatements = [
  ...statements(
    { subject: 'processing', from: 'interface', milestone: 'processing', where: 'Endpoints 9' },
    {
      'pfop-01':
        'POST {api_url}/pfop/ with bucket, key, fops and a signature answers 200 with `persistentId`',
      'pfop-02': '`persistentId` is a non-empty JSON string',
      'pfop-03': 'POST /pfop without the slash answers 301',
      'pfop-04': 'The form Content-Type with a credential over the body is accepted',
      'pfop-05': '`bucket` and `key` name the source: the result is made from that object',
      'pfop-06': '`type` 0 gives a normal task',
      'pfop-07': '`type` 1 with ordinary transcoding (avthumb) is accepted as an idle-time task',
      'pfop-08': '`type` 1 with concatenation (avconcat) is accepted',
      'pfop-09': '`type` 1 with segmenting (avthumb/m3u8) is accepted',
      'pfop-10': '`type` 1 with a video screenshot (vframe) is accepted',
      'pfop-11': '`type` 1 with an operation that does not support idle time (imageView2) is refused',
      'pfop-12': '`fops` with two commands separated by `;` gives a task with two items',
      'pfop-13':
        'A command piped (`|`) into `saveas/<EncodedEntryURI>` stores the result under that bucket and key',
      'pfop-14': '`fops` and `workflowTemplateID` together are refused with 400',
      'pfop-15': '`workflowTemplateID` runs the commands of that V1 template',
      'pfop-16': '`notifyURL` receives a POST with Content-Type application/json when the task finishes',
      'pfop-17': '`force` 1 processes again and overwrites an existing result',
      'pfop-18': 'Without `force` an existing result counts as processed: it is not made again',
      'pfop-19': '`pipeline` names the queue of a normal task',
      'pfop-20': '`pipeline` with an idle-time task is refused',
      'pfop-21': 'An empty `pipeline` means the default queue',
      'pfop-22': 'A failure body is a JSON object with `error`, a string',
      'pfop-23': 'The call is served over HTTPS',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'interface', milestone: 'processing', where: 'Errors: Submit processing' },
    {
      'err-pfop-01': 'A malformed request (no bucket): 400',
      'err-pfop-02': 'A malformed command: 400',
      'err-pfop-03': 'An invalid management credential: 401',
      'err-pfop-04': 'A source object that does not exist: 404',
      'err-pfop-05': 'A server-side failure: 599',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'interface', milestone: 'processing', where: 'States and transitions' },
    {
      'task-state-01': 'A valid pfop submit makes a task whose code is 1, 2, 3 or 0, and its id is returned',
      'task-state-02':
        'An upload with persistentOps makes a task whose code is 1, 2, 3 or 0, and its id is returned',
      'task-state-03': 'A refused submit makes no task',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'interface', milestone: 'processing', where: 'Versioning' },
    {
      'version-02': 'Only V1 workflow templates are supported: the name of anything else is refused with 400',
    },
  ),
];
