/** One CORS rule as a form. */
import type { CorsRule } from '@millpond/client/session';
import { useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { entriesOf, LinesField } from '../../../ui/lines-field.tsx';
import styles from '../bucket-settings.module.css';
import { RuleDialog } from '../rule-dialog.tsx';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

export function CorsForm({
  rule,
  close,
  save,
}: {
  /** Undefined for a new one. */
  readonly rule: CorsRule | undefined;
  readonly close: () => void;
  readonly save: (rule: CorsRule) => Promise<unknown>;
}) {
  const say = useTranslations('bucket-settings');
  const [origins, setOrigins] = useState(rule?.allowed_origin.join('\n') ?? '');
  const [methods, setMethods] = useState<readonly string[]>(rule?.allowed_method ?? ['GET', 'HEAD']);
  const [headers, setHeaders] = useState(rule?.allowed_header?.join(', ') ?? '');
  const [exposed, setExposed] = useState(rule?.exposed_header?.join(', ') ?? '');
  const [age, setAge] = useState(String(rule?.max_age ?? 600));
  const made = (): CorsRule => ({
    allowed_origin: entriesOf(origins),
    allowed_method: METHODS.filter((method) => methods.includes(method)),
    allowed_header: entriesOf(headers),
    exposed_header: entriesOf(exposed),
    max_age: Number(age),
  });
  return (
    <RuleDialog title={say('cors.rule')} close={close} save={() => save(made())}>
      <LinesField
        label={say('cors.origins')}
        hint={say('cors.originsHint')}
        value={origins}
        onChange={(event) => setOrigins(event.target.value)}
        placeholder="https://app.example.com"
        required
      />
      <fieldset className={styles.checks}>
        <legend className="label">{say('cors.methods')}</legend>
        {METHODS.map((method) => (
          <label key={method}>
            <input
              type="checkbox"
              className="check"
              checked={methods.includes(method)}
              onChange={({ target }) =>
                setMethods(
                  target.checked ? [...methods, method] : methods.filter((other) => other !== method),
                )
              }
            />
            <code>{method}</code>
          </label>
        ))}
      </fieldset>
      <TextField
        label={say('cors.headers')}
        hint={say('cors.headersHint')}
        value={headers}
        onChange={(event) => setHeaders(event.target.value)}
        placeholder="Range, X-Own-*"
      />
      <TextField
        label={say('cors.exposed')}
        hint={say('cors.exposedHint')}
        value={exposed}
        onChange={(event) => setExposed(event.target.value)}
        placeholder="ETag"
      />
      <TextField
        label={say('cors.age')}
        type="number"
        min={0}
        max={2_592_000}
        value={age}
        onChange={(event) => setAge(event.target.value)}
      />
    </RuleDialog>
  );
}
