/** What a policy permits, in plain words, and what to be careful about. */
import type { PolicyFields } from '@millpond/protocol';
import { TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { bytes, number, time } from '../../lib/format.ts';
import { type Say, useTranslations, type Values } from '../../lib/words.ts';
import type { StorageClass } from '../../ui/depth.tsx';
import { draftOf } from './draft.ts';
import styles from './tokens.module.css';

const CAREFUL_SECONDS = 86_400;
/** Stands for a value until the marks are read; no text of ours has it. */
const PLACE = '\u0001';

type Key = Parameters<Say<'tokens'>>[0];

export function PolicySummary({
  policy,
  deadline,
  now,
}: {
  readonly policy: PolicyFields;
  /** Unix seconds. */
  readonly deadline: number;
  readonly now: number;
}) {
  const say = useTranslations('tokens');
  const common = useTranslations('common');
  const words = (key: Key, values?: Values) => rich((places) => say(key, places), values);
  const { bucket = '', way = 'any', key = '' } = draftOf(policy);
  const isNever = (policy.insertOnly ?? 0) !== 0;
  const who = words(`may.${way}`, { bucket, key });
  const over =
    way === 'one'
      ? words(isNever ? 'over.onlyNew' : 'over.replaces')
      : words(way === 'prefix' || isNever ? 'over.never' : 'over.parts');
  const then = afterwards(policy, words, (type) => common(`class.${type}`));
  return (
    <div className={styles.policySentences}>
      <p>
        {words(deadline * 1000 < now ? 'was' : 'until', { end: time(deadline * 1000) })}
        {who}
        {over}
      </p>
      <ul>
        {then.map(([name, shown]) => (
          <li key={name}>{shown}</li>
        ))}
      </ul>
      <Care policy={policy} way={way} seconds={deadline - Math.floor(now / 1000)} isNever={isNever} />
    </div>
  );
}

function afterwards(
  policy: PolicyFields,
  words: (key: Key, values?: Values) => ReactNode,
  nameOfClass: (type: StorageClass) => string,
): (readonly [name: string, words: ReactNode])[] {
  const { fsizeLimit, fsizeMin, mimeLimit, keylimit, saveKey, endUser } = policy;
  const url = policy.callbackUrl ?? '';
  return [
    ...(keylimit === undefined ? [] : [['keys', words('then.keys', { keys: keylimit.join(', ') })] as const]),
    ...(fsizeLimit === undefined ? [] : [['most', words('then.most', { size: bytes(fsizeLimit) })] as const]),
    ...(fsizeMin === undefined ? [] : [['least', words('then.least', { size: bytes(fsizeMin) })] as const]),
    ...(mimeLimit === undefined
      ? []
      : [
          [
            'types',
            mimeLimit.startsWith('!')
              ? words('then.notTypes', { types: mimeLimit.slice(1) })
              : words('then.types', { types: mimeLimit }),
          ] as const,
        ]),
    ['class', words('then.class', { class: nameOfClass((policy.fileType ?? 0) as StorageClass) })],
    ...(saveKey === undefined
      ? []
      : [['name', words(policy.forceSaveKey ? 'then.forced' : 'then.named', { saveKey })] as const]),
    ...(policy.deleteAfterDays === undefined
      ? []
      : [['days', words('then.days', { days: policy.deleteAfterDays })] as const]),
    ...(policy.trafficLimit === undefined
      ? []
      : [['speed', words('then.speed', { speed: number(policy.trafficLimit) })] as const]),
    ...(endUser === undefined ? [] : [['user', words('then.user', { endUser })] as const]),
    ...(url === ''
      ? []
      : [['call', words(policy.callbackFetchKey === 1 ? 'then.asks' : 'then.calls', { url })] as const]),
    ...(url === '' && policy.returnUrl !== undefined
      ? [['return', words('then.returns', { url: policy.returnUrl })] as const]
      : []),
    ...(url === '' && policy.returnBody !== undefined
      ? [['body', words('then.answers', { body: policy.returnBody })] as const]
      : []),
    ...(policy.persistentWorkflowTemplateID === undefined
      ? []
      : [['workflow', words('then.workflow', { name: policy.persistentWorkflowTemplateID })] as const]),
    ...(policy.persistentOps === undefined
      ? []
      : [['ops', words('then.ops', { ops: policy.persistentOps })] as const]),
    ...(policy.persistentOps === undefined && policy.persistentWorkflowTemplateID === undefined
      ? []
      : [['force', words(policy.persistentOpsForce === 1 ? 'then.replaces' : 'then.keeps')] as const]),
  ];
}

function Care({
  policy,
  way,
  seconds,
  isNever,
}: {
  readonly policy: PolicyFields;
  readonly way: string;
  readonly seconds: number;
  readonly isNever: boolean;
}) {
  const say = useTranslations('tokens');
  const cares: Key[] = [
    ...(way === 'any' && !isNever ? (['care.overwrites'] as const) : []),
    ...(policy.callbackUrl !== undefined && policy.callbackBodyType?.startsWith('application/json')
      ? (['care.json'] as const)
      : []),
    ...(seconds > CAREFUL_SECONDS ? (['care.long'] as const) : []),
  ];
  return cares.map((care) => (
    <div key={care} className="note warn">
      <TriangleAlert className="icon icon-small" aria-hidden />
      <span>{rich((places) => say(care, places))}</span>
    </div>
  ));
}

/** Words with **strong** and `code` in them. What is put into them is shown as it is, whatever marks it contains. */
function rich(say: (values: Values) => string, values: Values = {}): ReactNode {
  const names = Object.keys(values);
  const text = say(Object.fromEntries(names.map((name, at) => [name, `${PLACE}${at}${PLACE}`])));
  const filled = (part: string) =>
    part.replace(new RegExp(`${PLACE}(\\d+)${PLACE}`, 'g'), (_place, at) =>
      String(values[names[Number(at)] ?? ''] ?? ''),
    );
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, at) => {
    const key = `${at} ${part}`;
    if (part.startsWith('**')) return <b key={key}>{filled(part.slice(2, -2))}</b>;
    if (part.startsWith('`')) return <code key={key}>{filled(part.slice(1, -1))}</code>;
    return <Fragment key={key}>{filled(part)}</Fragment>;
  });
}
