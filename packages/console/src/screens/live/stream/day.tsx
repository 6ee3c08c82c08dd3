/** A day of a stream in lanes. A part of it is chosen by dragging, or with the arrow keys; what was recorded in it plays as one. */
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Download, Play } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { clock, durationText, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import styles from '../live.module.css';
import type { StreamSearch } from '../search.ts';
import { atShare, barOf, DAY, eventsOf, partsOf, type Span, secondsOf, shareOf, ticksOf } from './lanes.ts';
import { savePlaylist } from './save-playlist.ts';
import type { DayFacts } from './use-day.ts';

const SHORTEST = 10;
const STEP = 60;

export function Day({
  ns,
  stream,
  facts,
  search,
}: {
  readonly ns: string;
  readonly stream: string;
  readonly facts: DayFacts;
  readonly search: StreamSearch;
}) {
  const say = useTranslations('live');
  const client = useClient();
  const navigate = useNavigate();
  const tell = useMessages();
  const { day, publishers, recordings, snapshots } = facts;
  const lanes = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<Span | undefined>();
  const chosen =
    dragged ??
    (search.from !== undefined && search.to !== undefined ? { from: search.from, to: search.to } : undefined);
  const parts = chosen === undefined ? [] : partsOf(recordings, chosen);
  const go = (next: StreamSearch) =>
    void navigate({
      to: '/live/$ns/streams/$stream',
      params: { ns, stream },
      search: ({ account }) => ({ account, begins: search.begins, state: search.state, ...next }),
      replace: true,
      resetScroll: false,
    });
  const secondAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = lanes.current?.getBoundingClientRect() ?? {};
    return atShare((clientX - left) / width, day);
  };
  const begun = useRef<number | undefined>(undefined);
  const choose = (range: Span | undefined) =>
    go({ until: search.until, play: search.play === 'range' ? undefined : search.play, ...range });
  const ended = (event: PointerEvent) => {
    const from = begun.current;
    begun.current = undefined;
    setDragged(undefined);
    if (from === undefined) return;
    const to = secondAt(event);
    choose(Math.abs(to - from) < SHORTEST ? undefined : { from: Math.min(from, to), to: Math.max(from, to) });
  };
  const ends = { from: say('day.from'), to: say('day.to') };
  const range = chosen ?? { from: Math.max(day.from, day.to - 3600), to: day.to };
  const shown = chosen && barOf(chosen, day);
  return (
    <section className={styles.day} aria-labelledby="day">
      <div className="section-head">
        <h2 id="day">
          {search.until === undefined ? say('day.last') : say('day.until', { at: time(day.to * 1000) })}
        </h2>
        <Link
          to="/live/$ns/streams/$stream"
          params={{ ns, stream }}
          search={({ account }) => ({ account, until: day.to - DAY })}
          className="copy"
          aria-label={say('day.before')}
        >
          <ChevronLeft className="icon" aria-hidden />
        </Link>
        {search.until !== undefined && (
          <Link
            to="/live/$ns/streams/$stream"
            params={{ ns, stream }}
            search={({ account }) => ({
              account,
              until: day.to + DAY > Date.now() / 1000 ? undefined : day.to + DAY,
            })}
            className="copy"
            aria-label={say('day.after')}
          >
            <ChevronRight className="icon" aria-hidden />
          </Link>
        )}
        {chosen === undefined ? (
          <span className="quiet text-small desktop-only">{say('day.hint')}</span>
        ) : (
          <span className="end row">
            <span className="text-small soft tabular">
              {say('day.range', { from: clock(chosen.from * 1000), to: clock(chosen.to * 1000) })}
            </span>
            {parts.length === 0 ? (
              <span className="text-small quiet">{say('day.nothing')}</span>
            ) : (
              <>
                <Button
                  icon={<Play className="icon" aria-hidden />}
                  onClick={() => go({ until: search.until, ...chosen, play: 'range' })}
                >
                  {say('day.play', { span: durationText(secondsOf(parts) * 1000) })}
                </Button>
                <Button
                  kind="ghost"
                  icon={<Download className="icon" aria-hidden />}
                  onClick={() =>
                    void savePlaylist(client, { ns, stream, ...chosen }).catch((error: Error) =>
                      tell({ words: error.message, state: 'bad' }),
                    )
                  }
                >
                  {say('day.playlist')}
                </Button>
              </>
            )}
          </span>
        )}
      </div>
      <div className={styles.lanes}>
        <div className={`${styles.dayLane} ${styles.axisLane}`}>
          <span />
          <div className={styles.track}>
            {ticksOf(day, (at) => Number(clock(at * 1000).slice(0, 2))).map((at) => (
              <b key={at} style={{ left: `${shareOf(at, day)}%` }}>
                {clock(at * 1000).slice(0, 5)}
              </b>
            ))}
          </div>
        </div>
        <Lane words={say('lane.online')}>
          {publishers.map(({ start, end = day.to }) => (
            <Stroke key={start} look={styles.active} range={{ from: start, to: end }} day={day} />
          ))}
        </Lane>
        <Lane words={say('lane.recordings')}>
          {recordings.map(({ file, start, end, type }) => (
            <Stroke
              key={file}
              look={type === 2 ? `${styles.recording} ${styles.onDemand}` : styles.recording}
              range={{ from: start, to: end }}
              day={day}
            />
          ))}
        </Lane>
        <Lane words={say('lane.snapshots')}>
          {snapshots.map(({ file, time: at }) => (
            <i
              key={`${file} ${at}`}
              className={styles.snapshotTick}
              style={{ left: `${shareOf(at, day)}%` }}
            />
          ))}
        </Lane>
        <Lane words={say('lane.events')}>
          {eventsOf(publishers, [])
            .filter(({ at }) => at >= day.from && at <= day.to)
            .map(({ kind, at }) => (
              <i
                key={`${kind} ${at}`}
                className={`${styles.eventDot} ${kind === 'gone' ? 'warn' : ''}`}
                style={{ left: `${shareOf(at, day)}%` }}
                title={`${clock(at * 1000)} ${say(`event.${kind === 'gone' ? 'gone' : 'connected'}`)}`}
              />
            ))}
        </Lane>
        <div
          ref={lanes}
          className={styles.drag}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            begun.current = secondAt(event);
          }}
          onPointerMove={(event) => {
            const from = begun.current;
            if (from === undefined) return;
            const to = secondAt(event);
            setDragged({ from: Math.min(from, to), to: Math.max(from, to) });
          }}
          onPointerUp={ended}
          onPointerCancel={ended}
        >
          {shown !== undefined && (
            <span
              className={styles.selectedRange}
              style={{ left: `${shown.left}%`, width: `${shown.width}%` }}
            />
          )}
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="range"
              className="visually-hidden"
              aria-label={ends[end]}
              aria-valuetext={time(range[end] * 1000)}
              min={day.from}
              max={day.to}
              step={STEP}
              value={range[end]}
              onChange={({ target }) => {
                const next = { ...range, [end]: Number(target.value) };
                if (next.to - next.from >= STEP) choose(next);
              }}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function Lane({ words, children }: { readonly words: string; readonly children: React.ReactNode }) {
  return (
    <div className={styles.dayLane}>
      <span className="text-small quiet">{words}</span>
      <div className={styles.track}>{children}</div>
    </div>
  );
}

function Stroke({
  look,
  range,
  day,
}: {
  readonly look: string | undefined;
  readonly range: Span;
  readonly day: Span;
}) {
  const bar = barOf(range, day);
  if (bar === undefined) return null;
  return <i className={look} style={{ left: `${bar.left}%`, width: `${bar.width}%` }} />;
}
