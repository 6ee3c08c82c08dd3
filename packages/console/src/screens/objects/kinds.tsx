/** What an object is, as far as its type and its name tell: for its picture in lists, and for how it is shown. */
import {
  Braces,
  File,
  FileArchive,
  FileCode,
  FileSpreadsheet,
  FileText,
  Film,
  Image,
  ListVideo,
  type LucideIcon,
  Music,
} from 'lucide-react';
import type { ReactNode } from 'react';

export type Kind =
  | 'image'
  | 'video'
  | 'audio'
  | 'playlist'
  | 'pdf'
  | 'json'
  | 'text'
  | 'archive'
  | 'table'
  | 'other';

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  image: Image,
  video: Film,
  audio: Music,
  playlist: ListVideo,
  pdf: FileText,
  json: Braces,
  text: FileCode,
  archive: FileArchive,
  table: FileSpreadsheet,
  other: File,
};

const BY_NAME: readonly (readonly [RegExp, Kind])[] = [
  [/\.m3u8$/i, 'playlist'],
  [/\.(?:xlsx?|ods|csv)$/i, 'table'],
  [/\.(?:zip|gz|tgz|7z|rar|tar|zst)$/i, 'archive'],
  [/\.json$/i, 'json'],
  [/\.(?:md|txt|xml|ya?ml|toml|log|srt|vtt|js|ts|css|html?|sql|sh|py|go|rs|ini)$/i, 'text'],
];

export function kindOf(key: string, mimeType: string): Kind {
  const type = mimeType.toLowerCase();
  if (/mpegurl/.test(type)) return 'playlist';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (type === 'application/pdf') return 'pdf';
  if (/^application\/(?:.*\+)?json$/.test(type)) return 'json';
  const named = BY_NAME.find(([pattern]) => pattern.test(key))?.[1];
  if (named !== undefined) return named;
  return type.startsWith('text/') || /xml|javascript|yaml/.test(type) ? 'text' : 'other';
}

/** Made once: a list draws thousands of them. */
const PICTURES = Object.fromEntries(
  Object.entries(ICONS).map(([kind, Icon]) => [kind, <Icon key={kind} className="icon" aria-hidden />]),
) as Readonly<Record<Kind, ReactNode>>;

export function kindPicture(name: string, mimeType: string): ReactNode {
  return PICTURES[kindOf(name, mimeType)];
}
