/** A look at an object, by what it is. What is stored was written by anybody: it is shown as a picture, as sound or as text, never run. */
import { lazy, Suspense } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { kindOf } from '../kinds.tsx';
import styles from './detail.module.css';
import { ImagePreview } from './image-preview.tsx';
import { isReadable, type PreviewProps } from './readable.ts';
import { TextPreview } from './text-preview.tsx';

const Playlist = lazy(() => import('./playlist.tsx').then(({ Playlist: made }) => ({ default: made })));

export function Preview(props: PreviewProps) {
  const { bucket, objectKey, object } = props;
  const say = useTranslations('objects');
  const client = useClient();
  if (!isReadable(object) || object.fsize === 0) return null;
  const src = client.objectUrl(bucket, objectKey);
  switch (kindOf(objectKey, object.mimeType)) {
    case 'image':
      return <ImagePreview {...props} />;
    case 'video':
      return (
        <div className={styles.preview}>
          {/* biome-ignore lint/a11y/useMediaCaption: whatever was stored */}
          <video src={src} controls preload="metadata" aria-label={say('preview')} />
        </div>
      );
    case 'audio':
      return (
        <div className={`${styles.preview} ${styles.sound}`}>
          {/* biome-ignore lint/a11y/useMediaCaption: whatever was stored */}
          <audio src={src} controls preload="metadata" aria-label={say('preview')} />
        </div>
      );
    case 'playlist':
      return (
        <Suspense>
          {/* The command makes all that it leads to same-origin, whatever host the playlist names. */}
          <Playlist src={client.objectUrl(bucket, objectKey, 'pm3u8/0')} />
        </Suspense>
      );
    case 'pdf':
      return object.mimeType === 'application/pdf' ? (
        <iframe className={`${styles.preview} ${styles.document}`} src={src} title={say('preview')} />
      ) : null;
    case 'json':
    case 'text':
    case 'table':
      return object.mimeType.startsWith('application/vnd.') ? null : <TextPreview {...props} />;
    case 'archive':
    case 'other':
      return null;
  }
}
