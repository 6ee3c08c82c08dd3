import { statements } from '../statement.ts';

/** Decisions on processing: submit, tasks, commands, templates, images by URL. */
export const processingDecisions = [
  ...statements(
    { subject: 'processing', from: 'decision', milestone: 'processing', where: 'submit' },
    {
      'pfop-rule-01': 'bucket, key, or both of fops and workflowTemplateID missing answers 400',
      'pfop-rule-02': 'An unknown command or bad grammar answers 400 and makes no task',
      'pfop-rule-03': 'An unknown pipeline answers 400',
      'pfop-rule-04': 'type other than 0 or 1 answers 400',
      'pfop-rule-05': 'Idle with a pipeline answers 400',
      'pfop-rule-06':
        'Idle with several commands of which one does not qualify answers 400; vsample qualifies',
      'pfop-rule-07': 'A frozen source answers 403',
      'pfop-rule-08': 'The 301 has a relative Location and comes before authentication (`svc`)',
      'pfop-rule-09': "A missing bucket and another account's bucket answer 404 with identical bodies",
      'pfop-rule-10': "A saveas target in another account's bucket or another region is refused with 400",
      'pfop-rule-11': 'Only the string 1 forces: `force` true or 01 does not',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'decision', milestone: 'processing', where: 'tasks' },
    {
      'task-id-01': 'persistentId is `<region>.` with 8 hex digits of unix seconds and 32 random hex digits',
      'task-rule-01': 'A code goes 1, 2, then 0 or 3, and 0 and 3 never change',
      'task-rule-02': 'A worker that dies takes its task from 2 back to 1 and it runs again',
      'task-rule-03': 'One failed item of two gives task code 3',
      'task-rule-04': 'A failed notification never shows in the code: it shows in the deliveries',
      'task-rule-05':
        'A result without saveas lands in the source bucket as `<URL-safe Base64 of SHA-1 of the command>/<source hash>`',
      'task-rule-06':
        'Target exists and no force: not run, item code 0, returnOld 1, key and hash of the old object',
      'task-rule-07':
        "Two tasks race to one target without force: the loser returns returnOld 1 with the winner's hash",
      'task-rule-08':
        'An overwrite or delete of the source after the submit does not change what is processed',
      'task-rule-09': 'A normal task that waits always goes before an idle one',
      'task-rule-10': 'A pipeline runs no more tasks at once than its concurrency',
      'task-rule-11':
        'The share of one account cannot starve another: 10 tasks behind 10,000 of somebody else start soon',
      'task-rule-12':
        'Without force, what the same command made of the same content of one account is not made again: it becomes a second object, whatever the names',
      'task-rule-13': 'Identical commands that are submitted at the same time are run once',
      'task-rule-14': 'A task whose bytes are gone fails at once, and none is tried for ever',
      'result-keep-01':
        'Without force, files that a pattern names replace no object with other content either: the item fails and says which key is in the way',
    },
  ),
  ...statements(
    {
      subject: 'processing',
      from: 'decision',
      milestone: 'processing',
      where: 'templates, triggers, pipelines',
    },
    {
      'template-01': 'Workflow templates are made, listed, changed and deleted by calls under {api_url}/v1/',
      'trigger-01':
        'A trigger (bucket, prefix, suffix) starts its template after a matching form or resumable upload and after a fetch',
      'trigger-02': 'A trigger does not fire on results, copies, moves or mirror fills',
      'trigger-03':
        'What a trigger starts replaces no object, and its item has returnOld 1; with `force` of the trigger it does',
      'pipeline-01':
        'Pipelines (name, concurrency) are made, listed, changed and deleted by calls under {api_url}/v1/',
      'pipeline-02':
        'Wherever a queue is named, `0.default` is the shared one, and `<uid>.<name>` is the pipeline of that account',
      'pipeline-03': "Another account's `<uid>.<name>` is a pipeline that does not exist",
      'worker-01':
        'A submit that no worker of the last 10 minutes could run answers 400 `unsupported command`, with what is missing where; a worker that lacks a program runs what needs none of it',
      'worker-02': 'While workers restart no submit is refused; uploads with commands are always accepted',
      'worker-03':
        'A task that waits says for what (`waitingFor`): a worker with an engine, its turn, room in its pipeline, the same work, the next try',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'decision', milestone: 'processing', where: 'commands' },
    {
      'command-01': 'avthumb gives a file of the asked format, codecs, size and rates, shown by decoding it',
      'command-02':
        'avthumb/m3u8 gives a playlist and segments that play; segments are stored before the playlist',
      'command-03': 'vframe gives one image at the offset and size asked for',
      'command-04': 'vsample gives images at the interval, named by the pattern',
      'command-05': 'avconcat joins the sources in order: the duration is their sum',
      'command-06': 'avinfo gives streams and format as JSON',
      'command-07': 'imageView2 gives the size of each mode 0 to 5 and never enlarges',
      'command-08':
        'imageMogr2 applies thumbnail, crop, rotate, blur, format and quality in the order written',
      'command-09': 'imageInfo, exif and imageAve give their JSON',
      'command-10': 'watermark 1 to 4 puts the mark at the gravity asked for',
      'command-11': 'qhash gives the md5, sha1 or sha256 of the content and its size',
      'command-12': 'concat and mkzip give the joined file and the archive of their sources',
      'command-13': 'A command that this ffmpeg cannot do is refused with 400 and says so',
      'command-14':
        'A hostile input reads nothing outside its job, opens no connection and ends within its limits with item code 3',
      'command-15': 'The result of vsample is `{"keys": […]}`, the keys of its images in order',
      'command-16': 'A playlist names its segments relatively, whatever noDomain says',
      'command-17':
        'avthumb keeps all sound tracks and subtitles that the format holds; what it leaves out is in `warnings` of the item, which is absent otherwise',
      'command-18':
        'A source that ends before its container says fails avthumb and says where it ends; with `ignore-error/1` it gives what there is of it',
      'command-19':
        'Without stripmeta a film keeps title, artist and languages, and neither films nor images of imageMogr2 say where they were recorded',
      'command-20': 'Without hlsIV each encrypted segment has its number as initialisation vector',
      'command-21':
        'The error of a failed command is a sentence of ours; the output of the engine is in `words` only',
      'command-22': 'A quality that is given is that of the format; without one AVIF is smaller than WebP',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'decision', milestone: 'processing', where: 'images by URL' },
    {
      'picture-01': 'GET …?imageView2/2/w/200 answers the image at that width',
      'picture-02': 'A style of the bucket answers the same by its name',
      'picture-03': 'A bucket that allows only its styles, or only signed commands, answers 403 to others',
      'picture-04': 'A new upload to the key purges its cached images',
      'picture-05': 'An image that would be too large at any step is refused before its pixels are decoded',
    },
  ),
  ...statements(
    { subject: 'processing', from: 'decision', milestone: 'processing', where: 'task calls' },
    {
      'task-call-01': 'Tasks are listed by state, pipeline, key and time, only those of the caller',
      'task-call-02': 'A waiting or running task can be cancelled, a finished one run again',
      'task-call-03': 'A running task shows its progress, a failed one the last words of the engine',
      'task-call-04': 'A task that is run again keeps taskFrom',
      'task-call-05':
        'The owner of a task sees its worker and the times of its items and their stages, and how many tasks of a pipeline wait and run',
    },
  ),
];
