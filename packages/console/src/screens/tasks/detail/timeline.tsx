/** Items over time: as a picture, as a table, or as the record itself. */
import type { OwnTaskRecord, TaskItem } from '@millpond/client/session';
import { useEffect, useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { clock, percent } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { type TaskView, VIEWS } from '../search.ts';
import { briefCommand, isOver, markOf, plainError } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { ItemBars, WorkerBars } from './bars.tsx';
import { placeOf, scaleOf, type TimeAxis, ticksOf } from './scale.ts';
import { StageTable } from './stage-table.tsx';

export function Timeline({
  task,
  item,
  view,
  choose,
  show,
}: {
  readonly task: OwnTaskRecord;
  readonly item: number;
  readonly view: TaskView;
  readonly choose: (item: number) => void;
  readonly show: (view: TaskView) => void;
}) {
  const say = useTranslations('tasks');
  const scale = scaleOf(task, useNow(!isOver(task)));
  const narrow = matchMedia('(max-width: 640px)').matches;
  const { at: ticks, step } = ticksOf(scale, narrow ? 4 : 7);
  return (
    <section className={styles.gantt} aria-label={say('view.timeline')}>
      <div className={styles.timelineHead}>
        <div className="row">
          <Segments
            label={say('view.label')}
            value={view}
            options={VIEWS.map((value) => ({ value, words: say(`view.${value}`) }))}
            onChange={show}
          />
        </div>
        {view === 'timeline' && (
          <div className={`${styles.timeAxis} tabular`} aria-hidden>
            {ticks
              .filter((tick) => placeOf(scale, tick) < 0.97)
              .map((tick) => (
                <span key={tick} style={{ left: `${placeOf(scale, tick) * 100}%` }}>
                  {labelOf(tick, step)}
                </span>
              ))}
          </div>
        )}
      </div>
      {view === 'timeline' && (
        <ul>
          <Lines scale={scale} ticks={ticks} />
          <WorkerBars task={task} scale={scale} />
          {task.items.map((each, at) => (
            <Lane
              // biome-ignore lint/suspicious/noArrayIndexKey: items are numbered
              key={at}
              item={each}
              at={at}
              scale={scale}
              isChosen={at === item}
              choose={() => choose(at)}
              share={task.percent}
            />
          ))}
        </ul>
      )}
      {view === 'table' && <StageTable task={task} />}
      {view === 'json' && (
        <div className={`code ${styles.record}`}>
          <Copy text={JSON.stringify(task, undefined, 2)} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
          <pre tabIndex={0}>{JSON.stringify(task, undefined, 2)}</pre>
        </div>
      )}
    </section>
  );
}

function Lane({
  item,
  at,
  scale,
  isChosen,
  choose,
  share,
}: {
  readonly item: TaskItem;
  readonly at: number;
  readonly scale: TimeAxis;
  readonly isChosen: boolean;
  readonly choose: () => void;
  readonly share: number;
}) {
  return (
    <li className={`${styles.lane} ${styles.itemLane}`} aria-current={isChosen ? 'true' : undefined}>
      <button type="button" className={styles.laneHead} onClick={choose} aria-pressed={isChosen}>
        <span className={`${styles.index} tabular`}>{at}</span>
        <StatusMark state={item.warnings === undefined ? markOf(item.code) : 'warn'} />
        <span className="grow">
          <span className={`truncate ${styles.itemName}`}>{briefCommand(item.cmd)}</span>
          <span className={`truncate ${styles.itemResult}`}>
            <Result item={item} share={share} />
          </span>
        </span>
      </button>
      <div className={styles.laneBars}>
        <ItemBars item={item} scale={scale} />
      </div>
    </li>
  );
}

function Result({ item, share }: { readonly item: TaskItem; readonly share: number }) {
  const say = useTranslations('tasks');
  if (item.code === 3) return <span className="bad">{plainError(item)}</span>;
  if (item.code === 2) return say('item.running', { share: percent(share / 100) });
  if (item.code === 1) return say('item.waiting');
  if (item.returnOld === 1) return say('item.old');
  const files = item.keys?.length ?? 0;
  return files > 1 ? say('item.files', { count: files }) : (item.key ?? say('item.done'));
}

function Lines({ scale, ticks }: { readonly scale: TimeAxis; readonly ticks: readonly number[] }) {
  return (
    <li className={styles.gridLines} aria-hidden>
      <div className={styles.laneHead} />
      <div className={styles.laneBars}>
        {ticks.map((tick) => (
          <i key={tick} style={{ left: `${placeOf(scale, tick) * 100}%` }} />
        ))}
      </div>
    </li>
  );
}

/** As fine as the ticks are. */
function labelOf(tick: number, step: number): string {
  if (step >= 60_000) return clock(tick).slice(0, 5);
  if (step >= 1000) return clock(tick);
  return `${clock(tick).slice(6)}.${String(tick % 1000).padStart(3, '0')}`;
}

/** The server's clock, followed while it matters. */
function useNow(follows: boolean): number {
  const { serverNow } = useSession();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!follows) return;
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, [follows, serverNow]);
  return now;
}
