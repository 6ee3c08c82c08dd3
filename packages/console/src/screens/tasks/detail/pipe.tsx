/** The commands of an item, one after the other, each with what it does and how long it took. */
import type { TaskItem } from '@millpond/client/session';
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { milliseconds } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { type MarkState, StatusMark } from '../../../ui/mark.tsx';
import { explainStage, inOneLine, stageTitle } from '../../commands/explain.ts';
import styles from '../tasks.module.css';

type Fate = 'ok' | 'bad' | 'busy' | 'off';

const FATE_STYLES: Readonly<Partial<Record<Fate, string | undefined>>> = {
  bad: styles.fateBad,
  off: styles.fateOff,
};

export function Pipe({ item }: { readonly item: TaskItem }) {
  const commands = item.cmd.split('|');
  return (
    <ol className={styles.pipe}>
      {commands.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages are numbered
        <Fragment key={at}>
          {at > 0 && (
            <li className={styles.arrow} aria-hidden>
              <ChevronRight className="icon icon-small" />
            </li>
          )}
          <Stage
            text={text}
            at={at}
            fate={fateOf(item, at, commands.length)}
            ms={timeOf(item, text, at, commands)}
          />
        </Fragment>
      ))}
    </ol>
  );
}

function Stage({
  text,
  at,
  fate,
  ms,
}: {
  readonly text: string;
  readonly at: number;
  readonly fate: Fate;
  readonly ms: number | undefined;
}) {
  const say = useTranslations('tasks');
  const explain = useTranslations('commands');
  const { name, rest } = stageTitle(text);
  const mark: MarkState = fate;
  return (
    <li className={`${styles.pipeStage} ${FATE_STYLES[fate] ?? ''}`}>
      <div className="row">
        <StatusMark state={mark} />
        <span className="quiet tabular">{at}</span>
        <code className="strong truncate">{name}</code>
      </div>
      <div className={`truncate mono ${styles.arguments}`} title={text}>
        {rest || ' '}
      </div>
      <div className="row text-small">
        <span className="quiet truncate">{inOneLine(explainStage(text, explain))}</span>
        <span className={`end nowrap ${fate === 'bad' ? 'bad' : 'quiet'}`}>
          {fate === 'bad'
            ? ms === undefined
              ? say('pipe.failed')
              : say('pipe.failedAfter', { time: milliseconds(ms) })
            : fate === 'off'
              ? say('pipe.notBegun')
              : ms === undefined
                ? ''
                : milliseconds(ms)}
        </span>
      </div>
    </li>
  );
}

function fateOf({ code, errorIndex }: TaskItem, at: number, count: number): Fate {
  if (code === 0) return 'ok';
  if (code === 1) return 'off';
  if (code === 2) return at < count ? 'busy' : 'off';
  const failed = Number(errorIndex ?? 0);
  return at < failed ? 'ok' : at === failed ? 'bad' : 'off';
}

/** Of the runs that name its command; an only stage has the time of all of them. */
function timeOf(
  { stages = [] }: TaskItem,
  text: string,
  at: number,
  commands: readonly string[],
): number | undefined {
  const name = text.split('/')[0] ?? '';
  if (name === 'saveas') return undefined;
  const runs = stages.filter((stage) => stage.name === 'run');
  const own = runs.filter(
    ({ words }) => words !== undefined && (words === text || words.split('/')[0] === name),
  );
  const same = commands.filter((command) => command.split('/')[0] === name).length;
  const counted =
    own.length > 0 && same === 1 ? own : own.length > at && same > 1 ? own.slice(at, at + 1) : [];
  const alone = commands.filter((command) => !command.startsWith('saveas')).length === 1 ? runs : counted;
  return alone.length === 0 ? undefined : alone.reduce((sum, { ms }) => sum + ms, 0);
}
