/** Plays HLS, with segments from the session's own origin. Loaded when the first playlist is opened: the player is large. */
import Hls from 'hls.js';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import styles from './detail.module.css';

export function Playlist({ src }: { readonly src: string }) {
  const say = useTranslations('objects');
  const video = useRef<HTMLVideoElement>(null);
  const [words, setWords] = useState<string>();
  useEffect(() => {
    const { current } = video;
    if (current === null) return undefined;
    if (!Hls.isSupported()) {
      current.src = src;
      return undefined;
    }
    // A worker would be made of a blob, which the page's policy does not run.
    const hls = new Hls({ enableWorker: false });
    hls.on(Hls.Events.ERROR, (_, { fatal, details, response }) => {
      if (fatal) setWords(response === undefined ? details : `${details} (${response.code})`);
    });
    hls.loadSource(src);
    hls.attachMedia(current);
    return () => hls.destroy();
  }, [src]);
  return (
    <div className={styles.preview}>
      {/* biome-ignore lint/a11y/useMediaCaption: whatever was stored */}
      <video ref={video} controls aria-label={say('preview')} />
      {words !== undefined && (
        <p className="note bad" role="alert">
          {say('notPlayed', { words })}
        </p>
      )}
    </div>
  );
}
