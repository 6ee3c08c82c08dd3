/** What a token of this policy does not permit, with the answer that one would get. */
import { objectErrors, type PolicyFields } from '@millpond/protocol';
import { bytes, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import styles from '../tokens.module.css';

export function Refusals({ policy, deadline }: { readonly policy: PolicyFields; readonly deadline: number }) {
  const say = useTranslations('tokens');
  const hasKey = policy.scope?.includes(':') === true;
  const isOne = hasKey && policy.isPrefixalScope !== 1;
  const never = (policy.insertOnly ?? 0) !== 0;
  const rows = [
    ...(hasKey ? [{ words: say('no.key'), fault: objectErrors.scopeMismatch }] : []),
    ...(policy.fsizeLimit === undefined
      ? []
      : [{ words: say('no.size', { size: bytes(policy.fsizeLimit) }), fault: objectErrors.tooLarge }]),
    ...(policy.mimeLimit === undefined
      ? []
      : [{ words: say('no.type'), fault: objectErrors.mimeTypeForbidden }]),
    ...(isOne && !never ? [] : [{ words: say('no.exists'), fault: objectErrors.fileExists }]),
    { words: say('no.late', { end: time(deadline * 1000) }), fault: objectErrors.expiredToken },
  ];
  return (
    <>
      <div className="section-head">
        <h2>{say('no.title')}</h2>
      </div>
      <table className={`table ${styles.refusals}`}>
        <tbody>
          {rows.map(({ words, fault }) => (
            <tr key={words}>
              <td>{words}</td>
              <td className="tabular bad">{fault.status}</td>
              <td className="soft">{fault.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
