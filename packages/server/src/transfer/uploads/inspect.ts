/** Fills the variables that require inspecting the content, from the bytes as stored. */
import { type BlobStore, readSegments } from '@millpond/blobs';
import type { ContentSource, Inspector } from '@millpond/jail';
import { sourceOfBytes } from '@millpond/jail';
import type { TemplateValue, TemplateValues } from '@millpond/protocol';
import type { FinishedUpload } from './finished-upload.ts';
import type { InspectContent } from './variables.ts';

/** A template yields at most 64 KiB: a file with longer details must not make its own upload fail. */
const MAX_JSON_CHARACTERS = 16 * 1024;

export type ContentInspector = Pick<Inspector, 'inspectImage' | 'inspectMedia'>;

export function inspectUpload(inspector: ContentInspector, blobs: BlobStore): InspectContent {
  return async (finished, names, { tenant, signal }) => {
    const source = sourceOf(finished, blobs);
    const average = names.has('imageAve');
    const wantsImage = average || names.has('imageInfo') || names.has('exif');
    const [image, media] = await Promise.all([
      wantsImage ? inspector.inspectImage(source, { average, signal, tenant }) : undefined,
      names.has('avinfo') ? inspector.inspectMedia(source, { signal, tenant }) : undefined,
    ]);
    return bounded({
      imageInfo: image?.imageInfo,
      exif: image?.exif,
      imageAve: image?.imageAve,
      avinfo: media?.variable,
    });
  };
}

function sourceOf({ segments, size, inline }: FinishedUpload, blobs: BlobStore): ContentSource {
  if (inline !== undefined) return sourceOfBytes(inline);
  return { size, read: (range, sink, signal) => readSegments(blobs, segments, range, sink, signal) };
}

function bounded(values: Readonly<Record<string, object | undefined>>): TemplateValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && JSON.stringify(value).length <= MAX_JSON_CHARACTERS,
    ),
  ) as Record<string, TemplateValue>;
}
