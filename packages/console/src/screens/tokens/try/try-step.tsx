import { useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';
import type { CheckStep } from './judge.ts';

export function TryStep({ name, state, word, values }: CheckStep) {
  const say = useTranslations('tokens');
  return (
    <li>
      <StatusMark state={state} />
      <b>{say(`step.${name}`)}</b>
      <span>{say(word === undefined ? 'step.sending' : `step.${word}`, values)}</span>
    </li>
  );
}
