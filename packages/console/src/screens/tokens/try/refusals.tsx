/** What a token of this policy does not permit, with the answer that one would get. */
import { objectErrors, type PolicyFields } from '@millpond/protocol';
import { bytes, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { RecordTable } from '../../../ui/records/record-table.tsx';
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
      <RecordTable
        label={say('no.title')}
        headers="hidden"
        className={styles.refusals}
        rows={rows}
        rowKey={({ words }) => words}
        columns={[
          { id: 'words', header: say('no.title') },
          {
            id: 'status',
            header: say('no.status'),
            width: 44,
            cell: ({ fault }) => <span className="tabular bad">{fault.status}</span>,
          },
          { id: 'answer', header: say('answer'), tone: 'soft', value: ({ fault }) => fault.text },
        ]}
      />
    </>
  );
}
