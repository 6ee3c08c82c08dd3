/**
 * What results say about themselves. Phones write where they were into every recording, so unless a command says otherwise only what
 * concerns the content is kept: title, artist, time of creation, languages and titles of tracks, chapters.
 */
import type { AvthumbPlan } from '@millpond/protocol';
import type { FileTags, MediaFacts } from '../probe.ts';
import type { ChosenTracks } from './tracks.ts';

export function metadataArguments(
  { stripmeta }: Pick<AvthumbPlan, 'stripmeta'>,
  { tags }: Pick<MediaFacts, 'tags'>,
  chosen: Pick<ChosenTracks, 'video' | 'sounds' | 'subtitles'>,
): string[] {
  if (stripmeta) return ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'];
  // ffmpeg itself never copies the time of creation.
  if (stripmeta === false) return tagArguments({ creation_time: tags.createdAt });
  return [...keptTags(tags), ...trackTags(chosen)];
}

/** Without those of tracks. */
export function keptTags({ title, artist, createdAt }: FileTags): string[] {
  return [
    '-map_metadata:g',
    '-1',
    '-map_metadata:s',
    '-1',
    ...tagArguments({ title, artist, creation_time: createdAt }),
  ];
}

function trackTags({
  video,
  sounds,
  subtitles,
}: Pick<ChosenTracks, 'video' | 'sounds' | 'subtitles'>): string[] {
  const kinds = { v: video === undefined ? [] : [video], a: sounds, s: subtitles.map(({ facts }) => facts) };
  return Object.entries(kinds).flatMap(([kind, tracks]) =>
    tracks.flatMap(({ language, title }, at) => tagArguments({ language, title }, `:s:${kind}:${at}`)),
  );
}

function tagArguments(tags: Readonly<Record<string, string | undefined>>, of = ''): string[] {
  return Object.entries(tags).flatMap(([name, value]) =>
    value === undefined ? [] : [`-metadata${of}`, `${name}=${value}`],
  );
}
