/** Submitting and querying a task, at the `api` host, over HTTPS only. */
import { type Rate, RateLimiter } from '@millpond/base';
import type { OutboundClient } from '@millpond/outbound';
import { type Dialect, Fault } from '@millpond/protocol';
import {
  type Authenticate,
  assertWithinKeyLimits,
  CHECKED_IN_HANDLER,
  type Principal,
} from '../../../identity/accounts/index.ts';
import {
  clientNetwork,
  formFields,
  type HttpResponse,
  jsonResponse,
  optionalField,
  queryFields,
  type RequestContext,
  type Route,
  requiredField,
} from '../../../platform/web/index.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { assertReadable, type Objects } from '../../../storage/objects/index.ts';
import { taskRecord } from '../task.ts';
import { commandPermissions } from './command-permissions.ts';
import { checkNotifyUrl } from './tasks.notification.ts';
import type { TaskRequest, Tasks } from './tasks.ts';

export interface SubmitRouteDeps {
  readonly tasks: Tasks;
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
  readonly outbound: OutboundClient;
  readonly dialect: Dialect;
  readonly plainHttp: boolean;
  readonly queriesPerAddress: Rate;
}

export function submitRoutes(deps: SubmitRouteDeps): Route[] {
  const { tasks, objects, buckets, authenticate, outbound, dialect } = deps;
  const perAddress = new RateLimiter(deps.queriesPerAddress, 'tooManyRequests');
  const requireTls = (context: RequestContext) => {
    if (!context.peer.secure && !deps.plainHttp && !dialect.processingOverHttp)
      throw new Fault('httpsRequired');
  };

  async function submit(context: RequestContext): Promise<HttpResponse> {
    requireTls(context);
    const principal = await authenticate(context, CHECKED_IN_HANDLER);
    const form = formFields(context);
    const bucketName = requiredField(form, 'bucket');
    const key = form.get('key');
    if (key === null) throw new Fault('invalidArgument', { hint: 'key is missing' });
    const { address } = context.peer;
    assertWithinKeyLimits(principal.key, { action: 'read', bucket: bucketName, key }, address);
    const request: TaskRequest = {
      ...readRequest(form, principal, context.reqid),
      check: (commands) =>
        assertWithinKeyLimits(principal.key, commandPermissions(commands, bucketName), address),
    };
    if (request.notifyUrl !== undefined) checkNotifyUrl(outbound, request.notifyUrl);
    const bucket = await buckets.byName(bucketName);
    if (bucket === undefined || bucket.uid !== principal.uid) throw new Fault('notFound');
    await buckets.owned(principal.uid, bucketName);
    const source = await objects.find(bucket, key, context.cancel);
    if (source === undefined) throw new Fault('notFound');
    assertReadable(source);
    return jsonResponse({ persistentId: await tasks.submit(request, bucket, key) });
  }

  return [
    { role: 'api', methods: ['POST'], path: '/pfop/', handle: submit },
    {
      role: 'api',
      methods: ['POST'],
      path: '/pfop',
      handle: (context) =>
        dialect.submitWithoutSlash
          ? submit(context)
          : { status: 301, headers: { location: '/pfop/', 'content-type': 'application/json' }, body: '' },
    },
    {
      role: 'api',
      methods: dialect.statusByPost ? ['GET', 'POST'] : ['GET'],
      path: '/status/get/prefop',
      async handle(context) {
        requireTls(context);
        await context.readOpenBody();
        const id = optionalField(queryFields(context), 'id') ?? requiredField(formFields(context), 'id');
        perAddress.take(clientNetwork(context.peer.address));
        return jsonResponse(taskRecord(await tasks.find(id, context.cancel)), {
          headers: { 'cache-control': 'no-store' },
        });
      },
    },
  ];
}

function readRequest(form: URLSearchParams, { uid, key }: Principal, reqid: string): TaskRequest {
  const fops = optionalField(form, 'fops');
  const workflow = optionalField(form, 'workflowTemplateID');
  if ((fops === undefined) === (workflow === undefined))
    throw new Fault('invalidArgument', { hint: 'give either fops or workflowTemplateID' });
  const type = optionalField(form, 'type') ?? '0';
  if (type !== '0' && type !== '1') throw new Fault('invalidArgument', { hint: 'type must be 0 or 1' });
  const pipeline = optionalField(form, 'pipeline');
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
    notifyUrl: optionalField(form, 'notifyURL'),
    reqid,
  };
}
