/** One lifecycle rule as a form. */

import type { LifecycleRule } from '@millpond/client/session';
import { MAX_OBJECT_DAYS } from '@millpond/protocol';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../bucket-settings.module.css';
import { RuleDialog } from '../rule-dialog.tsx';
import { LifecyclePreview } from './lifecycle-preview.tsx';
import { STAGES, sentRule } from './lifecycle-steps.tsx';

const NONE: LifecycleRule = { name: '', prefix: '' };

export function LifecycleForm({
  bucket,
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
  const say = useTranslations('bucket-settings');
  const client = useClient();
  const preview = useAction({
    act: (asked: LifecycleRule) => client.buckets.previewLifecycle(bucket, asked),
    failure: 'inline',
  });
  const [rule, setRule] = useState<LifecycleRule>(before ?? NONE);
  return (
    <RuleDialog
      title={before === undefined ? say('lifecycle.new') : say('lifecycle.rule', { name: before.name })}
      close={close}
      save={() => save(sentRule(rule))}
      also={
        <Button waits={preview.isPending} onClick={() => void preview.run(sentRule(rule))}>
          {say('preview.ask')}
        </Button>
      }
    >
      <div className={styles.twoColumns}>
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
      <div className={styles.fourColumns}>
        {STAGES.map(({ field }) => (
          <TextField
            key={field}
            label={say(`lifecycle.${field}`)}
            type="number"
            min={0}
            max={MAX_OBJECT_DAYS}
            placeholder={say('never')}
            value={rule[field] || ''}
            onChange={(event) => setRule({ ...rule, [field]: Number(event.target.value) })}
          />
        ))}
      </div>
      <p className="quiet text-small">{say('lifecycle.order')}</p>
      {preview.error !== null && <Failure error={preview.error} what={say('preview.failed')} />}
      {preview.output !== undefined && <LifecyclePreview preview={preview.output} />}
    </RuleDialog>
  );
}
