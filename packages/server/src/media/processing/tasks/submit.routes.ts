/** Submitting and querying a task, at the `api` host, over HTTPS only. */
import { type Rate, RateLimit } from '@millpond/base';
import type { Outbound } from '@millpond/outbound';
import { type Dialect, Fault } from '@millpond/protocol';
import {
  type Authenticate,
  judgedLater,
  type Principal,
  refuseBeyondLimits,
} from '../../../identity/accounts/index.ts';
import {
  type Answer,
  type Call,
  formFields,
  givenField,
  jsonAnswer,
  neededField,
  networkOf,
  queryFields,
  type Route,
} from '../../../platform/web/index.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { type Objects, refuseUnrestored } from '../../../storage/objects/index.ts';
import { taskRecord } from '../task.ts';
import { askedByCommands } from './asked.ts';
import { checkNotifyUrl } from './tasks.notification.ts';
import type { TaskRequest, Tasks } from './tasks.ts';

export interface SubmitRouteDeps {
  readonly tasks: Tasks;
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
  readonly outbound: Outbound;
  readonly dialect: Dialect;
  readonly plainHttp: boolean;
  readonly queriesPerAddress: Rate;
}

export function submitRoutes(deps: SubmitRouteDeps): Route[] {
  const { tasks, objects, buckets, authenticate, outbound, dialect } = deps;
  const perAddress = new RateLimit(deps.queriesPerAddress, 'tooManyRequests');
  const requireTls = (call: Call) => {
    if (!call.peer.secure && !deps.plainHttp && !dialect.processingOverHttp) throw new Fault('httpsRequired');
  };

  async function submit(call: Call): Promise<Answer> {
    requireTls(call);
    const principal = await authenticate(call, judgedLater);
    const form = formFields(call);
    const bucketName = neededField(form, 'bucket');
    const key = form.get('key');
    if (key === null) throw new Fault('invalidArgument', { hint: 'key is missing' });
    const { address } = call.peer;
    refuseBeyondLimits(principal.key, { action: 'read', bucket: bucketName, key }, address);
    const request: TaskRequest = {
      ...readRequest(form, principal, call.reqid),
      check: (commands) => refuseBeyondLimits(principal.key, askedByCommands(commands, bucketName), address),
    };
    if (request.notifyUrl !== undefined) checkNotifyUrl(outbound, request.notifyUrl);
    const bucket = await buckets.byName(bucketName);
    if (bucket === undefined || bucket.uid !== principal.uid) throw new Fault('notFound');
    await buckets.owned(principal.uid, bucketName);
    const source = await objects.find(bucket, key, call.cancel);
    if (source === undefined) throw new Fault('notFound');
    refuseUnrestored(source);
    return jsonAnswer({ persistentId: await tasks.submit(request, bucket, key) });
  }

  return [
    { role: 'api', methods: ['POST'], path: '/pfop/', handle: submit },
    {
      role: 'api',
      methods: ['POST'],
      path: '/pfop',
      handle: (call) =>
        dialect.submitWithoutSlash
          ? submit(call)
          : { status: 301, headers: { location: '/pfop/', 'content-type': 'application/json' }, body: '' },
    },
    {
      role: 'api',
      methods: dialect.statusByPost ? ['GET', 'POST'] : ['GET'],
      path: '/status/get/prefop',
      async handle(call) {
        requireTls(call);
        await call.readOpenBody();
        const id = givenField(queryFields(call), 'id') ?? neededField(formFields(call), 'id');
        perAddress.take(networkOf(call.peer.address));
        return jsonAnswer(taskRecord(await tasks.find(id, call.cancel)), {
          headers: { 'cache-control': 'no-store' },
        });
      },
    },
  ];
}

function readRequest(form: URLSearchParams, { uid, key }: Principal, reqid: string): TaskRequest {
  const fops = givenField(form, 'fops');
  const workflow = givenField(form, 'workflowTemplateID');
  if ((fops === undefined) === (workflow === undefined))
    throw new Fault('invalidArgument', { hint: 'give either fops or workflowTemplateID' });
  const type = givenField(form, 'type') ?? '0';
  if (type !== '0' && type !== '1') throw new Fault('invalidArgument', { hint: 'type must be 0 or 1' });
  const pipeline = givenField(form, 'pipeline');
  if (type === '1' && pipeline !== undefined)
    throw new Fault('invalidArgument', { hint: 'an idle-time task cannot name a pipeline' });
  return {
    uid,
    accessKey: key?.accessKey,
    fops,
    workflow,
    isIdle: type === '1',
    pipeline,
    isForced: form.get('force') === '1',
    notifyUrl: givenField(form, 'notifyURL'),
    reqid,
  };
}
