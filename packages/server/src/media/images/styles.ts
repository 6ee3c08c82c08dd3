/** Styles of buckets: named commands, requested as `<key><separator><name>`; and whether URLs may hold other commands as well. */
import { Fault, parseUrlCommands, type UrlCommands } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../platform/cache.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import type { CommandPolicy, RulesRow, StyleStore } from './style.store.ts';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const SEPARATORS = ['-', '_', '!', '@', '~', '/', '.', '$'];
const ALLOWED: readonly CommandPolicy[] = ['all', 'signed', 'styles'];
const MAX_STYLES = 200;
const DEFAULT_RULES = { separator: '-', allowed: 'all' } as const;

export interface BucketRules {
  readonly separator: string;
  readonly allowed: CommandPolicy;
  readonly styles: ReadonlyMap<string, string>;
}

export interface StylesDeps {
  readonly store: StyleStore;
  readonly buckets: Buckets;
  readonly freshMs: number;
  readonly staleMs: number;
}

export class Styles {
  readonly #store: StyleStore;
  readonly #buckets: Buckets;
  readonly #ofBucket: StaleIfErrorCache<BucketRules>;

  constructor({ store, buckets, freshMs, staleMs }: StylesDeps) {
    this.#store = store;
    this.#buckets = buckets;
    const load = async (bucketId: string) => rulesOf(await store.rules(BigInt(bucketId)));
    this.#ofBucket = new StaleIfErrorCache({ load, freshMs, staleMs, entries: 50_000 });
  }

  /** Which commands the URLs of a bucket may hold. */
  async allowed(bucket: Bucket): Promise<CommandPolicy> {
    return (await this.#rules(bucket)).allowed;
  }

  /** The style that a key of this bucket ends in, if any. */
  async styleIn(
    bucket: Bucket,
    key: string,
  ): Promise<(StyleMatch & { readonly work: UrlCommands }) | undefined> {
    const { separator, styles } = await this.#rules(bucket);
    const match = styleIn(key, separator, styles);
    return match && { ...match, work: parseUrlCommands(match.command) };
  }

  async list(uid: bigint, bucketName: string): Promise<BucketRules> {
    const bucket = await this.#buckets.owned(uid, bucketName);
    return rulesOf(await this.#store.rules(bucket.id));
  }

  /** Fields left out keep their value. */
  async setRules(
    uid: bigint,
    bucketName: string,
    change: { readonly separator: unknown; readonly allowed: unknown },
  ): Promise<BucketRules> {
    const bucket = await this.#buckets.owned(uid, bucketName);
    const separator = change.separator == null ? undefined : oneOf(SEPARATORS, change.separator, 'separator');
    const allowed = change.allowed == null ? undefined : oneOf(ALLOWED, change.allowed, 'allow');
    await this.#store.putRules(bucket.id, { separator, allowed }, DEFAULT_RULES);
    this.#forget(bucket);
    return rulesOf(await this.#store.rules(bucket.id));
  }

  async put(uid: bigint, bucketName: string, name: string, command: unknown): Promise<void> {
    const bucket = await this.#buckets.owned(uid, bucketName);
    if (!NAME.test(name))
      throw new Fault('invalidArgument', {
        hint: 'a style must have a name of 1 to 64 letters, digits, . - and _',
      });
    if (typeof command !== 'string')
      throw new Fault('invalidArgument', { hint: 'command must be the text of the commands, as in a URL' });
    parseUrlCommands(command);
    if (!(await this.#store.putStyle(bucket.id, name, command, MAX_STYLES)))
      throw new Fault('notAllowed', { hint: `a bucket may have at most ${MAX_STYLES} styles` });
    this.#forget(bucket);
  }

  async remove(uid: bigint, bucketName: string, name: string): Promise<void> {
    const bucket = await this.#buckets.owned(uid, bucketName);
    if (!(await this.#store.deleteStyle(bucket.id, name))) throw new Fault('notFound');
    this.#forget(bucket);
  }

  async #rules(bucket: Bucket): Promise<BucketRules> {
    const name = bucket.id.toString();
    const rules = this.#ofBucket.peek(name) ?? (await this.#ofBucket.get(name));
    if (rules === undefined) throw new Error('every bucket has rules');
    return rules;
  }

  #forget(bucket: Bucket): void {
    this.#ofBucket.forget(bucket.id.toString());
  }
}

/** What the record of a bucket says about its styles, as of now. */
export async function readStyles(
  store: StyleStore,
  bucketId: bigint,
): Promise<{ separator: string; styles: Record<string, string> }> {
  const { separator, styles } = rulesOf(await store.rules(bucketId));
  return { separator, styles: Object.fromEntries(styles) };
}

function rulesOf({ separator, allowed, styles }: RulesRow): BucketRules {
  return {
    separator: separator ?? DEFAULT_RULES.separator,
    allowed: allowed ?? DEFAULT_RULES.allowed,
    styles: new Map(styles.map(({ name, command }) => [name, command])),
  };
}

function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
  what: string,
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new Fault('invalidArgument', { hint: `${what} must be one of ${choices.join(' ')}` });
  return found;
}

/** Finds the name of a style at the end of a key. Names may contain the separator themselves: the longest wins. */
interface StyleMatch {
  /** The key of the object itself. */
  readonly key: string;
  readonly command: string;
}

export function styleIn(
  key: string,
  separator: string,
  styles: ReadonlyMap<string, string>,
): StyleMatch | undefined {
  if (styles.size === 0) return undefined;
  // From 1: there must be a key before the separator.
  for (let at = key.indexOf(separator, 1); at > 0; at = key.indexOf(separator, at + 1)) {
    const command = styles.get(key.slice(at + separator.length));
    if (command !== undefined) return { key: key.slice(0, at), command };
  }
  return undefined;
}
