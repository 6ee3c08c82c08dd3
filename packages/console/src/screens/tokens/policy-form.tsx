/** The policy as a form: what everybody needs in sight, the rest one click away. */
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CLASSES, StorageClassIcon } from '../../ui/depth.tsx';
import { DEFAULT_LIFE, withField } from './draft.ts';
import { PolicyInput } from './policy-input.tsx';
import { ScopeFields } from './scope-fields.tsx';
import type { Draft, DraftField, DraftFields } from './search.ts';
import styles from './tokens.module.css';

/** What the policy calls it. */
const CLASS = 'fileType';
const LIVES = [600, 3600, 86_400, 604_800];
const SIZES = [2 ** 21, 100 * 2 ** 20, 2 ** 31, 5 * 2 ** 30];

export function PolicyForm({
  draft,
  set,
}: {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}) {
  const say = useTranslations('tokens');
  const fields = draft.fields ?? {};
  const setFields = (next: DraftFields) => set({ fields: next });
  const input = (name: DraftField, more: { placeholder?: string; hint?: string } = {}) => (
    <PolicyInput key={name} name={name} fields={fields} set={setFields} {...more} />
  );
  return (
    <form
      className={`pane ${styles.policyForm}`}
      aria-label={say('policy')}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="pane-head">
        <h2>{say('policy')}</h2>
      </div>
      <div className={`scroll ${styles.paneBody}`}>
        <fieldset>
          <legend>{say('group.what')}</legend>
          <ScopeFields draft={draft} set={set} />
          {draft.way !== 'prefix' && input('insertOnly')}
          <More>
            {input('keylimit', { placeholder: 'a.jpg\nb.jpg', hint: say('hint.keylimit') })}
            {input('endUser')}
          </More>
        </fieldset>
        <fieldset>
          <legend>{say('group.limits')}</legend>
          <div className={styles.twoFields}>
            <Choice
              label={say('life')}
              code="deadline"
              value={String(draft.life ?? DEFAULT_LIFE)}
              options={[...new Set([...LIVES, draft.life ?? DEFAULT_LIFE])].map((life) => ({
                value: String(life),
                words: lifeWords(say, life),
              }))}
              onChange={(value) => set({ life: Number(value) })}
            />
            {input('fsizeLimit', { placeholder: String(SIZES[2]) })}
          </div>
          {input('mimeLimit', { placeholder: 'video/*;image/*', hint: say('hint.mimeLimit') })}
          <More>
            {input('fsizeMin')}
            {input('trafficLimit', { hint: say('hint.trafficLimit') })}
          </More>
        </fieldset>
        <fieldset>
          <legend>{say('group.name')}</legend>
          {input('saveKey', { placeholder: 'uploads/$(year)/$(mon)/$(etag)$(ext)' })}
          <ClassChoice fields={fields} set={setFields} />
          <More>
            {input('forceSaveKey')}
            {input('deleteAfterDays')}
            {input('detectMime', { hint: say('hint.detectMime') })}
            {input('responseHeaders', {
              placeholder: 'Cache-Control: max-age=3600',
              hint: say('hint.headers'),
            })}
          </More>
        </fieldset>
        <fieldset>
          <legend>{say('group.then')}</legend>
          {input('callbackUrl', { placeholder: 'https://app.example.com/hooks/upload' })}
          {input('callbackBody', { placeholder: '{"key":$(key),"size":$(fsize)}', hint: say('hint.body') })}
          <More>
            <Choice
              label={say('field.callbackBodyType')}
              code="callbackBodyType"
              value={fields.callbackBodyType ?? ''}
              options={['', 'application/json'].map((value) => ({
                value,
                words: value === '' ? 'application/x-www-form-urlencoded' : value,
              }))}
              onChange={(value) => setFields(withField(fields, 'callbackBodyType', value || undefined))}
            />
            {input('callbackHost')}
            {input('callbackFetchKey')}
            {input('returnUrl')}
            {input('returnBody', { placeholder: '{"key":$(key),"hash":$(etag)}' })}
          </More>
          <WorkflowChoice fields={fields} set={setFields} />
          <More>
            {input('persistentOps', { placeholder: 'imageView2/2/w/200|saveas/…' })}
            {input('persistentNotifyUrl', { placeholder: 'https://app.example.com/hooks/task' })}
            {input('persistentPipeline')}
            {input('persistentType')}
            {input('persistentOpsForce')}
          </More>
        </fieldset>
      </div>
    </form>
  );
}

function More({ children }: { readonly children: ReactNode }) {
  const say = useTranslations('tokens');
  return (
    <details className={styles.more}>
      <summary className="link">{say('more')}</summary>
      {children}
    </details>
  );
}

function ClassChoice({
  fields,
  set,
}: {
  readonly fields: DraftFields;
  readonly set: (fields: DraftFields) => void;
}) {
  const say = useTranslations('tokens');
  const common = useTranslations('common');
  return (
    <>
      <div className="label">
        {say('field.fileType')}
        <code className="optional">{CLASS}</code>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border and a legend of its own */}
      <div className={`segmented ${styles.classChoice}`} role="group" aria-label={say('field.fileType')}>
        {CLASSES.map((type) => (
          <button
            key={type}
            type="button"
            aria-pressed={(fields.fileType ?? 0) === type}
            onClick={() => set(withField(fields, 'fileType', type === 0 ? undefined : type))}
          >
            <StorageClassIcon type={type} />
            {type === 1 ? say('infrequent') : common(`class.${type}`)}
          </button>
        ))}
      </div>
    </>
  );
}

function WorkflowChoice({
  fields,
  set,
}: {
  readonly fields: DraftFields;
  readonly set: (fields: DraftFields) => void;
}) {
  const say = useTranslations('tokens');
  const { client, account } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['tokens', account, 'workflows'],
    queryFn: ({ signal }) => client.processing.workflows({ signal }),
    staleTime: 60_000,
  });
  const chosen = fields.persistentWorkflowTemplateID ?? '';
  const names = [...new Set(['', ...data.map(({ name }) => name), chosen])];
  return (
    <Choice
      label={say('field.persistentWorkflowTemplateID')}
      code="persistentWorkflowTemplateID"
      value={chosen}
      options={names.map((name) => ({ value: name, words: name === '' ? say('noTemplate') : name }))}
      onChange={(value) => set(withField(fields, 'persistentWorkflowTemplateID', value || undefined))}
    />
  );
}

function Choice({
  label,
  code,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly code: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly words: string }[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className="field">
      <span>
        {label}
        <code className="optional">{code}</code>
      </span>
      <span className="select">
        <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.words}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" aria-hidden />
      </span>
    </label>
  );
}

function lifeWords(
  say: (key: 'minutes' | 'hours' | 'days', values: { count: number }) => string,
  life: number,
) {
  if (life % 86_400 === 0) return say('days', { count: life / 86_400 });
  if (life % 3600 === 0) return say('hours', { count: life / 3600 });
  return say('minutes', { count: Math.round(life / 60) });
}
