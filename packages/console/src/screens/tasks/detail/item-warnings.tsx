/** What to know about a result, in the server's own words: tracks that its format cannot hold, for instance. */
import { useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';

export function ItemWarnings({ warnings }: { readonly warnings: readonly string[] }) {
  const say = useTranslations('tasks');
  return (
    <div className="note warn">
      <StatusMark state="warn" />
      <div className="grow">
        <b className="weight-medium">{say('item.warnings', { count: warnings.length })}</b>
        {warnings.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}
