/** Calls on buckets and their settings. */
import { encodeBase64Text } from '@millpond/protocol';
import { type ApiCall, type Caller, type CallOptions, queryText } from './caller.ts';
import { pathOf } from './paths.ts';
import type {
  BucketInfo,
  BucketRecord,
  CorsRule,
  EventRule,
  LifecyclePreview,
  LifecycleRule,
  Quota,
  Tag,
} from './records.ts';

/** Which host serves what; in the three shapes that Qiniu’s SDKs know. */
export type RegionQuery = 'v4' | 'v3' | 'v2';

export interface NewBucketOptions extends CallOptions {
  /** Only signed URLs can read it. Without it everyone can. */
  readonly private?: boolean | undefined;
}

export class Buckets {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  create(name: string, region: string, options: NewBucketOptions = {}): Promise<void> {
    const { private: isPrivate = false, signal } = options;
    const target = pathOf`/mkbucketv3/${name}/region/${region}`;
    return this.#done({ target: isPrivate ? `${target}/private/true` : target, signal });
  }

  /** Only if it is empty. */
  drop(name: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: pathOf`/drop/${name}`, ...options });
  }

  names(options: CallOptions = {}): Promise<string[]> {
    return this.#get('/buckets', options);
  }

  /** All buckets with their details, page by page. */
  async *list(options: CallOptions & { region?: string } = {}): AsyncGenerator<BucketRecord, void> {
    for (let marker = ''; ; ) {
      const target = `/buckets${queryText({ apiVersion: 'v4', limit: 1000, region: options.region, marker })}`;
      const page = await this.#get<{ buckets: BucketRecord[]; is_truncated: boolean; next_marker: string }>(
        target,
        options,
      );
      yield* page.buckets;
      if (!page.is_truncated) return;
      marker = page.next_marker;
    }
  }

  info(bucket: string, options: CallOptions = {}): Promise<BucketInfo> {
    return this.#get(`/v2/bucketInfo${queryText({ bucket })}`, options);
  }

  setPrivate(bucket: string, isPrivate: boolean, options: CallOptions = {}): Promise<void> {
    return this.#done({
      target: '/private',
      form: { bucket, private: isPrivate ? 1 : 0 },
      ...again(options),
    });
  }

  regions(options: CallOptions = {}): Promise<{ regions: { id: string; description: string }[] }> {
    return this.#get('/regions', options);
  }

  /** Needs no credential, only an access key of the bucket's owner. */
  query(
    accessKey: string,
    bucket: string,
    options: CallOptions & { form?: RegionQuery } = {},
  ): Promise<Record<string, unknown>> {
    const target = `/${options.form ?? 'v4'}/query${queryText({ ak: accessKey, bucket })}`;
    return this.#caller.json({ role: 'uc', method: 'GET', target, open: true, signal: options.signal });
  }

  cors(bucket: string, options: CallOptions = {}): Promise<CorsRule[]> {
    return this.#get(pathOf`/corsRules/get/${bucket}`, options);
  }

  setCors(bucket: string, rules: readonly CorsRule[], options: CallOptions = {}): Promise<void> {
    return this.#done({ target: pathOf`/corsRules/set/${bucket}`, json: rules, ...again(options) });
  }

  async tags(bucket: string, options: CallOptions = {}): Promise<Tag[]> {
    return (await this.#get<{ Tags: Tag[] }>(`/bucketTagging${queryText({ bucket })}`, options)).Tags;
  }

  setTags(bucket: string, tags: readonly Tag[], options: CallOptions = {}): Promise<void> {
    const target = `/bucketTagging${queryText({ bucket })}`;
    return this.#done({ method: 'PUT', target, json: { Tags: tags }, ...again(options) });
  }

  removeTags(bucket: string, options: CallOptions = {}): Promise<void> {
    const target = `/bucketTagging${queryText({ bucket })}`;
    return this.#done({ method: 'DELETE', target, ...again(options) });
  }

  domains(bucket: string, options: CallOptions = {}): Promise<string[]> {
    return this.#get(`/v2/domains${queryText({ tbl: bucket })}`, options);
  }

  domainRecords(
    bucket: string,
    options: CallOptions = {},
  ): Promise<{ domain: string; tbl: string; ctime: number }[]> {
    return this.#get(`/v3/domains${queryText({ tbl: bucket })}`, options);
  }

  bindDomain(domain: string, bucket: string, options: CallOptions = {}): Promise<void> {
    return this.#done({
      target: `/publish/${encodeBase64Text(domain)}${pathOf`/from/${bucket}`}`,
      ...options,
    });
  }

  unbindDomain(domain: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: `/unpublish/${encodeBase64Text(domain)}`, ...options });
  }

  lifecycle(bucket: string, options: CallOptions = {}): Promise<LifecycleRule[]> {
    return this.#get(`/rules/get${queryText({ bucket })}`, options);
  }

  addLifecycle(bucket: string, rule: LifecycleRule, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: '/rules/add', form: { bucket, ...rule }, ...options });
  }

  /** What a rule would do now; nothing is changed. Its name may be missing. */
  previewLifecycle(
    bucket: string,
    rule: Partial<LifecycleRule>,
    { signal }: CallOptions = {},
  ): Promise<LifecyclePreview> {
    const json = { bucket, rule };
    return this.#caller.json({
      role: 'api',
      target: '/v1/lifecycle/preview',
      json,
      repeatable: true,
      signal,
    });
  }

  updateLifecycle(bucket: string, rule: LifecycleRule, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: '/rules/update', form: { bucket, ...rule }, ...again(options) });
  }

  removeLifecycle(bucket: string, name: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: '/rules/delete', form: { bucket, name }, ...options });
  }

  /** Which changes of objects are sent to which URLs. */
  eventRules(bucket: string, options: CallOptions = {}): Promise<EventRule[]> {
    return this.#get(pathOf`/eventRules/get/${bucket}`, options);
  }

  /** Replaces all of them. */
  setEventRules(bucket: string, rules: readonly EventRule[], options: CallOptions = {}): Promise<void> {
    return this.#done({ target: pathOf`/eventRules/set/${bucket}`, json: rules, ...again(options) });
  }

  quota(bucket: string, options: CallOptions = {}): Promise<Quota> {
    return this.#get(pathOf`/getbucketquota/${bucket}`, options);
  }

  /** Fields not named stay as they are; -1 removes a limit. */
  setQuota(bucket: string, quota: Partial<Quota>, options: CallOptions = {}): Promise<void> {
    const parts = Object.entries(quota).map(([name, value]) => `/${name}/${value}`);
    return this.#done({ target: pathOf`/setbucketquota/${bucket}` + parts.join(''), ...again(options) });
  }

  /** Where missing objects are fetched from. */
  setMirror(
    bucket: string,
    urls: readonly string[],
    options: CallOptions & { host?: string } = {},
  ): Promise<void> {
    const host = options.host === undefined ? '' : `/host/${encodeBase64Text(options.host)}`;
    const target = `${pathOf`/image/${bucket}`}/from/${encodeBase64Text(urls.join(';'))}${host}`;
    return this.#done({ target, repeatable: true, signal: options.signal });
  }

  removeMirror(bucket: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: pathOf`/unimage/${bucket}`, ...again(options) });
  }

  #get<T>(target: string, { signal }: CallOptions): Promise<T> {
    return this.#caller.json({ role: 'uc', method: 'GET', target, signal });
  }

  #done(call: Omit<ApiCall, 'role'>): Promise<void> {
    return this.#caller.sendEmpty({ role: 'uc', ...call });
  }
}

/** For calls that set a state, and can be repeated. */
function again(options: CallOptions): CallOptions & { repeatable: true } {
  return { ...options, repeatable: true };
}
