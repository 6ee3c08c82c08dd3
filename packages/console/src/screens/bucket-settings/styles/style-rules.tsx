/** What applies to all styles of a bucket: the separator, which commands URLs may contain, and the picture they are shown on. */
import type { Styles } from '@millpond/client/session';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import settingStyles from '../bucket-settings.module.css';
import { useChange } from '../use-change.ts';

const ALLOWED = ['all', 'signed', 'styles'] as const;

export function StyleRules({
  bucket,
  styles,
  renews,
  picture,
  setPicture,
}: {
  readonly bucket: string;
  readonly styles: Styles;
  readonly renews: readonly unknown[];
  readonly picture: string | undefined;
  readonly setPicture: (key: string | undefined) => void;
}) {
  const say = useTranslations('bucket-settings');
  const client = useClient();
  const [separator, setSeparator] = useState(styles.separator);
  const [allow, setAllow] = useState(styles.allow);
  const [key, setKey] = useState<string>();
  const change = useChange({
    change: (rules: { separator: string; allow: string }) => client.processing.setStyleRules(bucket, rules),
    done: () => say('styles.rulesSaved'),
    renews: [renews],
  });
  const isSame = separator === styles.separator && allow === styles.allow;
  return (
    <>
      <form
        className={settingStyles.styleRules}
        onSubmit={(event) => {
          event.preventDefault();
          if (key !== undefined) setPicture(key === '' ? undefined : key);
          if (!isSame) void change.run({ separator, allow });
        }}
      >
        <TextField
          label={say('styles.separator')}
          value={separator}
          onChange={(event) => setSeparator(event.target.value)}
        />
        <SelectField
          label={say('styles.allow')}
          value={allow}
          onChange={(event) => setAllow(event.target.value)}
          options={ALLOWED.map((value) => ({ value, words: say(`styles.allow.${value}`) }))}
        />
        <TextField
          label={say('styles.picture')}
          value={key ?? picture ?? ''}
          onChange={(event) => setKey(event.target.value)}
          onBlur={() => key !== undefined && setPicture(key === '' ? undefined : key)}
        />
        <Button type="submit" size="large" disabled={isSame} waits={change.isPending}>
          {say('save')}
        </Button>
      </form>
      {change.error !== null && <Failure error={change.error} what={say('notSaved')} />}
    </>
  );
}
