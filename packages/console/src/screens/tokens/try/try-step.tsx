import { useWords } from '../../../lib/words.ts';
import { Mark } from '../../../ui/mark.tsx';
import type { Step } from './judge.ts';

export function TryStep({ name, state, word, values }: Step) {
  const say = useWords('tokens');
  return (
    <li>
      <Mark state={state} />
      <b>{say(`step.${name}`)}</b>
      <span>{say(word === undefined ? 'step.sending' : `step.${word}`, values)}</span>
    </li>
  );
}
