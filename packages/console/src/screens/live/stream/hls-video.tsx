/** Plays HLS. Loaded when the first stream is looked at: the player is large. */
import Hls from 'hls.js';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import styles from '../live.module.css';

const AGAIN_MS = 2_000;
const SAID_MS = 1_000;
/** Of a playlist: the stream is online, and its first segment is still to come. */
const NOT_YET = 404;

export function HlsVideo({
  src,
  label,
  onBehind,
  onRefused,
}: {
  readonly src: string;
  readonly label: string;
  /** How many seconds the picture is behind its publisher. */
  readonly onBehind: (seconds: number) => void;
  /** Its token has expired. */
  readonly onRefused: () => void;
}) {
  const say = useTranslations('live');
  const video = useRef<HTMLVideoElement>(null);
  const refused = useRef(onRefused);
  const behind = useRef(onBehind);
  [refused.current, behind.current] = [onRefused, onBehind];
  const [words, setWords] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  useEffect(() => {
    const { current } = video;
    if (current === null) return undefined;
    if (!Hls.isSupported()) {
      // Browsers on some phones play it themselves.
      current.src = src;
      return undefined;
    }
    // A worker would be made of a blob, which the page's policy does not run.
    const hls = new Hls({ enableWorker: false, liveSyncDurationCount: 2 });
    const timers = new Set<ReturnType<typeof setTimeout>>();
    hls.on(Hls.Events.ERROR, (_, { fatal, type, details, response }) => {
      if (!fatal) return;
      setWords(
        response?.code === NOT_YET
          ? undefined
          : response === undefined
            ? details
            : `${details} (${response.code})`,
      );
      setStarting(response?.code === NOT_YET);
      if (response?.code === 401) refused.current();
      else if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
      // A stream that has just begun has no segment yet.
      else timers.add(setTimeout(() => hls.loadSource(src), AGAIN_MS));
    });
    hls.on(Hls.Events.FRAG_BUFFERED, () => {
      setWords(undefined);
      setStarting(false);
    });
    hls.loadSource(src);
    hls.attachMedia(current);
    const said = setInterval(() => behind.current(hls.latency), SAID_MS);
    return () => {
      clearInterval(said);
      for (const timer of timers) clearTimeout(timer);
      hls.destroy();
    };
  }, [src]);
  return (
    <>
      <video ref={video} controls autoPlay muted playsInline aria-label={label} />
      {isStarting && <p className={styles.waits}>{say('player.starting')}</p>}
      {words !== undefined && <p className={styles.waits}>{say('player.waits', { words })}</p>}
    </>
  );
}
