/** Words with **strong** and `code` in them. What is put into them is shown as it is, whatever marks it contains. */
import { Fragment, type ReactNode } from 'react';
import type { Values } from '../../lib/words.ts';

/** Stands for a value until the marks are read; no text of ours has it. */
const PLACE = '\u0001';

export function rich(say: (values: Values) => string, values: Values = {}): ReactNode {
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
