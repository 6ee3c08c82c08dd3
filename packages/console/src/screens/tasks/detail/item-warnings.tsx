/** What to know about a result, in the server's own words: tracks that its format cannot hold, for instance. */
import { useWords } from '../../../lib/words.ts';
import { Mark } from '../../../ui/mark.tsx';

export function ItemWarnings({ warnings }: { readonly warnings: readonly string[] }) {
  const say = useWords('tasks');
  return (
    <div className="note warn">
      <Mark state="warn" />
      <div className="grow">
        <b className="weight-medium">{say('item.warnings', { count: warnings.length })}</b>
        {warnings.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}
