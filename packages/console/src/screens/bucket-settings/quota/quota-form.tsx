/** The quota of a bucket as a form; an empty field is no limit. */
import type { Quota } from '@millpond/client/session';
import { useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import styles from '../bucket-settings.module.css';

const UNITS = [
  { value: '1', words: 'B' },
  { value: '1048576', words: 'MiB' },
  { value: '1073741824', words: 'GiB' },
  { value: '1099511627776', words: 'TiB' },
];

export function QuotaForm({
  quota,
  save,
  waits,
}: {
  readonly quota: Quota;
  readonly save: (quota: Quota) => void;
  readonly waits: boolean;
}) {
  const say = useTranslations('bucket-settings');
  const [unit, setUnit] = useState(() => unitOf(quota.size));
  const [size, setSize] = useState(quota.size === -1 ? '' : String(quota.size / Number(unitOf(quota.size))));
  const [count, setCount] = useState(quota.count === -1 ? '' : String(quota.count));
  const wanted: Quota = {
    size: size === '' ? -1 : Math.round(Number(size) * Number(unit)),
    count: count === '' ? -1 : Number(count),
  };
  return (
    <form
      className={styles.quotaForm}
      onSubmit={(event) => {
        event.preventDefault();
        save(wanted);
      }}
    >
      <TextField
        label={say('quota.size')}
        type="number"
        min={0}
        step="any"
        placeholder={say('quota.noLimit')}
        value={size}
        onChange={(event) => setSize(event.target.value)}
      />
      <SelectField
        label={say('quota.unit')}
        options={UNITS}
        value={unit}
        onChange={(event) => setUnit(event.target.value)}
      />
      <TextField
        label={say('quota.count')}
        type="number"
        min={1}
        placeholder={say('quota.noLimit')}
        value={count}
        onChange={(event) => setCount(event.target.value)}
      />
      <Button
        type="submit"
        size="large"
        waits={waits}
        disabled={wanted.size === quota.size && wanted.count === quota.count}
      >
        {say('save')}
      </Button>
    </form>
  );
}

/** The largest in which the size is a whole number. */
function unitOf(size: number): string {
  if (size === -1) return '1073741824';
  return UNITS.findLast(({ value }) => size % Number(value) === 0)?.value ?? '1';
}
