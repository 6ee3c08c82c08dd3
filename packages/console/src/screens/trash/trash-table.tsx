import type { TrashedObject } from '@millpond/client/session';
import { useSession } from '../../app/session-context.tsx';
import { bytes, shortTime, span, time } from '../../lib/format.ts';
import { useWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { ClassName } from '../../ui/depth.tsx';
import { kindPicture } from '../objects/kinds.tsx';

export function TrashTable({
  items,
  chosen,
  toggle,
  undelete,
}: {
  readonly items: readonly TrashedObject[];
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly undelete: (id: string) => void;
}) {
  const say = useWords('trash');
  const { serverNow } = useSession();
  const now = serverNow();
  return (
    <div className="inset">
      <table className="table">
        <thead>
          <tr>
            <th className="w-check">
              <span className="vh">{say('chosen')}</span>
            </th>
            <th>{say('key')}</th>
            <th className="n w-size">{say('size')}</th>
            <th className="w-class desk-only">{say('class')}</th>
            <th className="w-reason desk-only">{say('why')}</th>
            <th className="w-at desk-only">{say('deleted')}</th>
            <th className="w-until">{say('until')}</th>
            <th className="w-acts desk-only">
              <span className="vh">{say('undelete')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} aria-selected={chosen.has(item.id)}>
              <td>
                <input
                  type="checkbox"
                  className="check"
                  aria-label={say('choose', { key: item.key })}
                  checked={chosen.has(item.id)}
                  onChange={() => toggle(item.id)}
                />
              </td>
              <td title={item.key}>
                <span className="nm">
                  {kindPicture(item.key, item.mimeType)}
                  <span className="cut">{item.key}</span>
                </span>
              </td>
              <td className="n">{bytes(item.fsize)}</td>
              <td className="desk-only soft">
                <ClassName type={item.type} />
              </td>
              <td className="desk-only soft">{say(`reason.${item.reason}`)}</td>
              <td className="desk-only soft tnum" title={time(item.deleted)}>
                {shortTime(item.deleted)}
              </td>
              <td className="soft tnum" title={time(item.until)}>
                {span(Date.parse(item.until) - now)}
              </td>
              <td className="acts desk-only">
                <Button kind="link" onClick={() => undelete(item.id)}>
                  {say('undelete')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
