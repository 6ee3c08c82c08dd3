/** The uploads below every screen: how they do, and what they ask. */
import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { bytes, durationText, percent } from '../lib/format.ts';
import { useTranslations } from '../lib/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './tray.module.css';
import { TrayLine } from './tray-line.tsx';
import { totalsOf } from './upload.ts';
import { useUploads } from './use-uploads.ts';

/** More lines than these are counted, not drawn. */
const MOST_LINES = 100;

export function UploadTray() {
  const say = useTranslations('uploads');
  const { uploads, list } = useUploads();
  const [isFolded, setFolded] = useState(false);
  const totals = totalsOf(list);
  const isMoving = totals.sending > 0;
  useEffect(() => {
    if (!isMoving) return undefined;
    // The browser asks whether one really wants to leave.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isMoving]);
  if (list.length === 0) return null;
  const isOver = totals.done === totals.files;
  const paused = list.some(({ state }) => state === 'paused');
  const ordered = [...list].sort((one, other) => rank[one.state] - rank[other.state]).slice(0, MOST_LINES);
  return (
    <section className={styles.tray} aria-label={say('title')}>
      <header>
        <b className="weight-medium">
          {isOver
            ? say('allDone', { count: totals.files })
            : say('uploading', { done: totals.done, files: totals.files })}
        </b>
        <span className="quiet tabular truncate">
          {say('amount', { sent: bytes(totals.sent), all: bytes(totals.bytes) })}
          {isMoving && ` · ${say('speed', { speed: bytes(totals.speed) })}`}
          {totals.left !== undefined && ` · ${say('left', { time: durationText(totals.left) })}`}
        </span>
        <div
          className="meter grow"
          role="progressbar"
          aria-label={say('progress')}
          aria-valuenow={Math.round((totals.sent / Math.max(1, totals.bytes)) * 100)}
        >
          <i style={{ width: percentOf(totals.sent, totals.bytes) }} />
        </div>
        <Ends over={isOver} />
        {totals.needs > 0 && <span className="bad text-small">{say('needs', { count: totals.needs })}</span>}
        {(isMoving || paused) && (
          <Button
            kind="ghost"
            icon={isMoving ? <Pause className="icon" aria-hidden /> : <Play className="icon" aria-hidden />}
            aria-label={say(isMoving ? 'pauseAll' : 'resumeAll')}
            onClick={() => (isMoving ? uploads.pauseAll() : uploads.resumeAll())}
          />
        )}
        {totals.done > 0 && (
          <Button
            kind="ghost"
            icon={<X className="icon" aria-hidden />}
            aria-label={say('clear')}
            onClick={() => uploads.clearDone()}
          />
        )}
        <Button
          kind="ghost"
          icon={
            isFolded ? (
              <ChevronUp className="icon" aria-hidden />
            ) : (
              <ChevronDown className="icon" aria-hidden />
            )
          }
          aria-label={say(isFolded ? 'unfold' : 'fold')}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        />
      </header>
      {!isFolded && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it
        <ul tabIndex={0} aria-label={say('title')}>
          {ordered.map((upload) => (
            <TrayLine key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Says that all is there, to those who can't see it; not how far it is. */
function Ends({ over }: { readonly over: boolean }) {
  const say = useTranslations('uploads');
  const was = useRef(over);
  const isNew = over && !was.current;
  useEffect(() => {
    was.current = over;
  }, [over]);
  return <output className="visually-hidden">{isNew ? say('ended') : ''}</output>;
}

/** What needs somebody comes first. */
const rank = { exists: 0, failed: 0, fileless: 1, sending: 2, paused: 3, waiting: 4, done: 5 } as const;

function percentOf(part: number, whole: number): string {
  return whole === 0 ? '100%' : percent(part / whole).replace(/[^\d.%]/g, '');
}
