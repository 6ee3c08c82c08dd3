/** One command of the pipe as a form. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type Say, useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import type { Pair, StageText } from './command-text.ts';
import styles from './commands.module.css';
import { ValueField } from './parameter-field.tsx';
import { type Offered, offeredBy, parameterOf } from './tables.ts';

/** Commands with so few parameters show all of them at once. */
const FEW = 9;

export function StageForm({
  stage,
  at,
  count,
  change,
  remove,
  move,
}: {
  readonly stage: StageText;
  readonly at: number;
  readonly count: number;
  readonly change: (stage: StageText) => void;
  readonly remove: () => void;
  readonly move: (by: number) => void;
}) {
  const say = useTranslations('commands');
  const offered = offeredBy(stage.name, stage.first);
  return (
    <section className={styles.stageForm} aria-label={stage.name}>
      <header>
        <span className="quiet tabular">{at}</span>
        <h2>
          <code>{stage.name}</code>
        </h2>
        <span className="quiet text-small truncate grow">{aboutOf(stage.name, say)}</span>
        {at > 0 && (
          <Button
            kind="ghost"
            icon={<ArrowUp className="icon" aria-hidden />}
            aria-label={say('stage.earlier')}
            onClick={() => move(-1)}
          />
        )}
        {at < count - 1 && (
          <Button
            kind="ghost"
            icon={<ArrowDown className="icon" aria-hidden />}
            aria-label={say('stage.later')}
            onClick={() => move(1)}
          />
        )}
        <Button
          kind="ghost"
          icon={<X className="icon" aria-hidden />}
          aria-label={say('stage.remove')}
          onClick={remove}
        />
      </header>
      {offered === undefined ? (
        <p className="quiet">{say('stage.unknown')}</p>
      ) : (
        <div className={styles.values}>
          <First stage={stage} offered={offered} change={change} />
          {offered.isSteps || Object.keys(offered.table).length > FEW ? (
            <Steps stage={stage} offered={offered} change={change} />
          ) : (
            <AllFields stage={stage} offered={offered} change={change} />
          )}
          {offered.rest !== undefined && <Rest stage={stage} offered={offered} change={change} />}
        </div>
      )}
    </section>
  );
}

interface Part {
  readonly stage: StageText;
  readonly offered: Offered;
  readonly change: (stage: StageText) => void;
}

const ENTRY = {
  form: '<bucket>:<key>',
  shape: { kind: 'encoded', of: 'text' },
  read: (text: string) => text,
} as const;

function First({ stage, offered, change }: Part) {
  const say = useTranslations('commands');
  const set = (first: string) => change({ ...stage, first });
  if (stage.name === 'saveas')
    return (
      <ValueField
        label={say('first.entry')}
        form={ENTRY}
        value={stage.first ?? ''}
        onChange={set}
        isRequired
      />
    );
  const { first } = offered;
  if (first === undefined) return null;
  const explain =
    stage.name === 'imageView2'
      ? (word: string) => `${word}: ${modeWords(word, say)}`
      : stage.name === 'watermark'
        ? (word: string) => `${word}: ${markWords(word, say)}`
        : undefined;
  return (
    <ValueField
      label={say(`first.${first.name}`)}
      form={first.value}
      value={stage.first ?? ''}
      onChange={set}
      isRequired
      options={explain}
    />
  );
}

/** Every parameter, in the table's order; those without a value are left out of the command. */
function AllFields({ stage, offered, change }: Part) {
  const say = useTranslations('commands');
  return Object.entries(offered.table).map(([name, { value: form, required }]) => {
    const at = stage.pairs.findIndex((pair) => parameterOf(offered, pair.name)?.name === name);
    const set = (value: string) => {
      const pairs = stage.pairs.filter((_, index) => index !== at);
      if (value !== '') pairs.splice(at < 0 ? pairs.length : at, 0, { name, value });
      change({ ...stage, pairs });
    };
    return (
      <ValueField
        key={name}
        label={labelOf(name, say)}
        code={name}
        form={form}
        value={stage.pairs[at]?.value ?? ''}
        onChange={set}
        isRequired={required}
      />
    );
  });
}

/** Those that are written, in their order, and a choice of more. */
function Steps({ stage, offered, change }: Part) {
  const say = useTranslations('commands');
  const replace = (at: number, pair: Pair | undefined) =>
    change({ ...stage, pairs: stage.pairs.flatMap((each, index) => (index === at ? (pair ?? []) : each)) });
  const used = new Set(stage.pairs.map(({ name }) => parameterOf(offered, name)?.name ?? name));
  const more = [...offered.words, ...Object.keys(offered.table)].filter(
    (name) => offered.isSteps || !used.has(name),
  );
  return (
    <>
      {stage.pairs.map((pair, at) => {
        const known = parameterOf(offered, pair.name);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same step may come twice
          <div key={at} className={styles.step}>
            {known === undefined ? (
              <div className={styles.valueField}>
                <span className={styles.word}>
                  {labelOf(pair.name, say)} <code className="quiet">{pair.name}</code>
                </span>
              </div>
            ) : (
              <ValueField
                label={labelOf(known.name, say)}
                code={pair.name}
                form={known.parameter.value}
                value={pair.value ?? ''}
                onChange={(value) => replace(at, { name: pair.name, value })}
                isRequired={known.parameter.required}
              />
            )}
            <Button
              kind="ghost"
              icon={<X className="icon" aria-hidden />}
              aria-label={say('parameter.remove', { name: pair.name })}
              onClick={() => replace(at, undefined)}
            />
          </div>
        );
      })}
      <span className={`select ${styles.addSelect}`}>
        <Plus className="icon" aria-hidden />
        <select
          className="input"
          aria-label={say('parameter.add')}
          value=""
          onChange={(event) =>
            change({ ...stage, pairs: [...stage.pairs, newPair(offered, event.target.value)] })
          }
        >
          <option value="">{say('parameter.add')}</option>
          {more.map((name) => (
            <option key={name} value={name}>
              {`${labelOf(name, say)} (${name})`}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}

function newPair(offered: Offered, name: string): Pair {
  if (offered.words.includes(name)) return { name };
  const shape = offered.table[name]?.value.shape;
  if (shape?.kind === 'flag') return { name, value: '1' };
  if (shape?.kind === 'choice') return { name, value: shape.words[0] ?? '' };
  return { name, value: '' };
}

/** Further files, one after the other. */
function Rest({ stage, offered, change }: Part) {
  const say = useTranslations('commands');
  const form = offered.rest;
  if (form === undefined) return null;
  const shown = [...stage.rest, ''];
  return shown.map((value, at) => (
    <ValueField
      // biome-ignore lint/suspicious/noArrayIndexKey: they are an ordered list
      key={at}
      label={say('first.url', { number: at + 1 })}
      form={form}
      value={value}
      onChange={(text) =>
        change({ ...stage, rest: shown.map((each, index) => (index === at ? text : each)).filter(Boolean) })
      }
    />
  ));
}

type Words = Say<'commands'>;
type Word = Parameters<Words>[0];

function labelOf(name: string, say: Words): string {
  return say(`par.${name}` as Word);
}

function aboutOf(name: string, say: Words): string {
  return offeredBy(name, undefined) === undefined ? '' : say(`about.${name}` as Word);
}

function modeWords(mode: string, say: Words): string {
  return say(`says.view${mode}` as Word, { width: 'w', height: 'h' });
}

function markWords(mode: string, say: Words): string {
  return say(`mark.${mode}` as Word);
}
