/** One lifecycle rule as a form. */
import type { LifecycleRule } from '@millpond/client/session';
import { useState } from 'react';
import { useWords } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { RuleDialog } from '../rule-dialog.tsx';
import { STAGES, sentRule } from './lifecycle-steps.tsx';

const NONE: LifecycleRule = { name: '', prefix: '' };

export function LifecycleForm({
  rule: before,
  close,
  save,
}: {
  readonly bucket: string;
  /** Undefined for a new one. */
  readonly rule: LifecycleRule | undefined;
  readonly close: () => void;
  readonly save: (rule: LifecycleRule) => Promise<unknown>;
}) {
  const say = useWords('bucket-settings');
  const [rule, setRule] = useState<LifecycleRule>(before ?? NONE);
  return (
    <RuleDialog
      title={before === undefined ? say('lifecycle.new') : say('lifecycle.rule', { name: before.name })}
      close={close}
      save={() => save(sentRule(rule))}
    >
      <div className="two">
        <TextField
          label={say('lifecycle.name')}
          hint={say('lifecycle.nameHint')}
          value={rule.name}
          onChange={(event) => setRule({ ...rule, name: event.target.value })}
          readOnly={before !== undefined}
          pattern="\w{1,49}"
          required
        />
        <TextField
          label={say('lifecycle.prefix')}
          hint={say('lifecycle.prefixHint')}
          value={rule.prefix}
          onChange={(event) => setRule({ ...rule, prefix: event.target.value })}
          placeholder="logs/"
        />
      </div>
      <div className="four">
        {STAGES.map(({ field }) => (
          <TextField
            key={field}
            label={say(`lifecycle.${field}`)}
            type="number"
            min={0}
            max={36_500}
            placeholder={say('never')}
            value={rule[field] || ''}
            onChange={(event) => setRule({ ...rule, [field]: Number(event.target.value) })}
          />
        ))}
      </div>
      <p className="quiet sm">{say('lifecycle.order')}</p>
    </RuleDialog>
  );
}
