/** The bars of a timeline: of the worker, and of the stages of an item. */
import type { OwnTaskRecord, TaskItem } from '@millpond/client/session';
import { milliseconds } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import styles from '../tasks.module.css';
import { beginOf, placeOf, type TimeAxis } from './scale.ts';
import { stageName } from './stage-names.ts';

/** Those that take longest have a colour of their own. */
const STAGE_STYLES: Readonly<Record<string, string | undefined>> = {
  run: styles.stageRun,
  store: styles.stageStore,
};

export function WorkerBars({ task, scale }: { readonly task: OwnTaskRecord; readonly scale: TimeAxis }) {
  const say = useTranslations('tasks');
  const begun = beginOf(task);
  const created = Date.parse(task.creationDate);
  return (
    <li className={`${styles.lane} ${styles.workerLane}`}>
      <div className={styles.laneHead}>
        <span className="quiet">{say('timeline.worker')}</span>
      </div>
      <div className={styles.laneBars}>
        <span
          className={`${styles.timeBar} ${styles.waiting}`}
          style={between(scale, created, begun ?? scale.to)}
          title={say('timeline.waited', { time: milliseconds((begun ?? scale.to) - created) })}
        />
        {begun !== undefined && (
          <span className={`${styles.timeBar} ${styles.running}`} style={between(scale, begun, scale.to)}>
            <span>
              {say(task.worker === undefined ? 'timeline.attempt' : 'timeline.attemptBy', {
                count: task.attempts,
                worker: task.worker ?? '',
              })}
              {scale.isCut && (
                <em className="quiet"> {say('timeline.waited', { time: milliseconds(begun - created) })}</em>
              )}
            </span>
          </span>
        )}
      </div>
    </li>
  );
}

export function ItemBars({ item, scale }: { readonly item: TaskItem; readonly scale: TimeAxis }) {
  const say = useTranslations('tasks');
  if (item.begun === undefined) return null;
  const begun = Date.parse(item.begun);
  const ended = item.ended === undefined ? scale.to : Date.parse(item.ended);
  const stages = item.stages ?? [];
  const isFailed = item.code === 3;
  const end = placeOf(scale, ended);
  const length = milliseconds(ended - begun);
  const isWide = end - placeOf(scale, begun) > 0.12;
  return (
    <>
      <span className={`${styles.timeBar} ${styles.done}`} style={between(scale, begun, ended)}>
        {isWide && <span>{length}</span>}
      </span>
      {stages.map((stage, at) => {
        const from = Date.parse(stage.begun);
        const isLast = isFailed && at === stages.length - 1;
        return (
          <span
            key={`${stage.begun}${stage.name}`}
            className={`${styles.timeBar} ${styles.stage} ${STAGE_STYLES[stage.name] ?? ''} ${isLast ? styles.last : ''}`}
            style={between(scale, from, from + stage.ms)}
            title={`${stageName(say, stage.name)} ${stage.words ?? ''} ${milliseconds(stage.ms)}`}
          />
        );
      })}
      {isFailed && (
        <span className={`${styles.timeBar} ${styles.failedAt}`} style={between(scale, ended, ended)} />
      )}
      {!isWide &&
        (end > 0.85 ? (
          <span
            className={`${styles.barLabel} ${isFailed ? 'bad' : ''}`}
            style={{ right: `${(1 - placeOf(scale, begun)) * 100}%` }}
          >
            {length}
          </span>
        ) : (
          <span className={`${styles.barLabel} ${isFailed ? 'bad' : ''}`} style={{ left: `${end * 100}%` }}>
            {length}
          </span>
        ))}
    </>
  );
}

function between(scale: TimeAxis, from: number, to: number): { left: string; width: string } {
  const left = placeOf(scale, from);
  return { left: `${left * 100}%`, width: `${(placeOf(scale, to) - left) * 100}%` };
}
