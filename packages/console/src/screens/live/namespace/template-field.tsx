/** How recordings or snapshots are kept: a template of the account, or none. */
import type { TemplateRecord } from '@millpond/client/session';
import { useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import styles from '../live.module.css';
import { useTemplates } from '../queries.ts';
import { NewTemplate } from './new-template.tsx';
import type { TemplateKind } from './template-kind.ts';

export function TemplateField({
  kind,
  value,
  isForAll,
  onChange,
}: {
  readonly kind: TemplateKind;
  readonly value: string;
  /** Undefined: it is a stream's own. */
  readonly isForAll?: boolean;
  readonly onChange: (template: string, isForAll: boolean) => void;
}) {
  const say = useTranslations('live');
  const { data = [] } = useTemplates();
  const [isNew, setNew] = useState(false);
  const type = kind === 'record' ? 0 : 1;
  const options = data.filter(({ templateType }) => templateType === type);
  const words = (template: TemplateRecord) =>
    `${template.name} · ${template.bucket} · ${say(wordOf(template), { seconds: template.snapInterval })}`;
  return (
    <div className={styles.templateField}>
      <SelectField
        label={say(`template.${kind}`)}
        value={value}
        options={[
          { value: '', words: say('template.none') },
          ...options.map((template) => ({ value: template.id, words: words(template) })),
        ]}
        onChange={({ target }) => onChange(target.value, isForAll ?? false)}
      />
      <Button size="large" onClick={() => setNew(true)}>
        {say('template.new')}
      </Button>
      {isForAll !== undefined && value !== '' && (
        <label className={`row ${styles.all}`}>
          <input
            type="checkbox"
            className="check"
            checked={isForAll}
            onChange={() => onChange(value, !isForAll)}
          />
          <span>{say('template.forAll')}</span>
        </label>
      )}
      {isNew && (
        <NewTemplate
          kind={kind}
          close={() => setNew(false)}
          onMade={(template) => onChange(template, isForAll ?? false)}
        />
      )}
    </div>
  );
}

function wordOf({ templateType, recordType, snapInterval }: TemplateRecord) {
  if (templateType === 0) return `template.record.${recordType}` as const;
  return snapInterval === 0 ? 'template.onDemand' : 'template.every';
}
