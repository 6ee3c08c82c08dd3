/** Which MIME type an upload gets (detectMime), and whether the policy allows it (mimeLimit). */
import { DEFAULT_MIME_TYPE, essenceOf, isValidMimeType } from '../mime/type.ts';
import { invalidPolicy } from './refuse.ts';

export interface MimeLimit {
  /** True: the patterns list what is forbidden. */
  readonly deny: boolean;
  /** Lower-case `type/subtype` or `type/*`. */
  readonly patterns: readonly string[];
}

/** The types that each source suggests; undefined if it suggests none. */
export interface MimeCandidates {
  readonly client?: string | undefined;
  readonly fileExtension?: string | undefined;
  readonly keyExtension?: string | undefined;
  readonly content?: string | undefined;
}

const NAME = '[a-z0-9][a-z0-9!#$&^_.+-]*';
const PATTERN = new RegExp(`^${NAME}/(?:${NAME}|\\*)$`);

export function parseMimeLimit(text: string): MimeLimit {
  const deny = text.startsWith('!');
  const entries = (deny ? text.slice(1) : text).split(';').map((entry) => entry.trim().toLowerCase());
  const patterns = entries.filter((entry) => entry !== '');
  if (patterns.length === 0 || !patterns.every((pattern) => PATTERN.test(pattern))) {
    throw invalidPolicy(
      'mimeLimit must be types such as image/* or image/jpeg;image/png, with ! in front to forbid them',
    );
  }
  return { deny, patterns };
}

export function allowsMimeType(limit: MimeLimit, mimeType: string): boolean {
  const essence = essenceOf(mimeType);
  const group = `${essence.slice(0, essence.indexOf('/') + 1)}*`;
  const named = limit.patterns.some((pattern) => pattern === essence || pattern === group);
  return named !== limit.deny;
}

/**
 * The type that an upload has under a limit, whatever the client says; undefined if it is refused. A name may say which
 * text or document it is, but never that it is an image, a sound or a video: those are recognised by their content, or
 * not at all.
 */
export function limitedMimeType(limit: MimeLimit, candidates: MimeCandidates): string | undefined {
  const detected = detectedMimeType(candidates);
  const isClaimed = detected !== candidates.content && /^(?:image|audio|video)\//.test(detected);
  const told = isClaimed ? (candidates.content ?? DEFAULT_MIME_TYPE) : detected;
  if (!allowsMimeType(limit, told)) return undefined;
  // What is forbidden is forbidden by its name too.
  return limit.deny && !allowsMimeType(limit, detected) ? undefined : told;
}

/**
 * The type stored and served for an upload that was allowed as `judged` but claims to be something else: it may say
 * which image, text or document it is. A list that allows both does not turn bytes into an image, nor an image into
 * a page.
 */
export function storedMimeType(limit: MimeLimit, judged: string, claimed: string): string {
  const isOfItsKind = limit.deny || kindOf(claimed) === kindOf(judged);
  return isOfItsKind && allowsMimeType(limit, claimed) ? claimed : judged;
}

/** Sound and video share formats. */
function kindOf(mimeType: string): 'image' | 'sound or video' | 'other' {
  const essence = essenceOf(mimeType);
  if (essence.startsWith('image/')) return 'image';
  return /^(?:audio|video)\//.test(essence) ? 'sound or video' : 'other';
}

/** The type from the content, helped by the extensions: what an object reverts to when its type is emptied. */
export function detectedMimeType({ content, fileExtension, keyExtension }: MimeCandidates): string {
  const byName = fileExtension ?? keyExtension;
  // Content can only say "some text"; a name that says which text knows more.
  if (content === 'text/plain' && byName !== undefined && isText(byName)) return byName;
  return content ?? byName ?? DEFAULT_MIME_TYPE;
}

export function decideMimeType(detectMime: number, candidates: MimeCandidates): string {
  if (detectMime === 1) return detectedMimeType(candidates);
  const client = candidates.client ?? '';
  // A value not allowed in our headers counts as not given: an upload is never refused for it.
  if (client !== '' && isValidMimeType(client)) return client;
  if (detectMime === -1) return DEFAULT_MIME_TYPE;
  return candidates.fileExtension ?? candidates.keyExtension ?? candidates.content ?? DEFAULT_MIME_TYPE;
}

function isText(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml|sql|x-sh|x-ndjson|x-subrip|vnd\.apple\.mpegurl)$/.test(mimeType);
}
