/** The address of what caused a failure, among what belongs to its account. */
import type { FailureRecord } from '@millpond/client/session';

type Cause = FailureRecord['cause'];

export interface Address {
  readonly to: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Undefined for what only operators' commands show. */
export function causeOf({ kind, id, item }: Cause, account: number | undefined): Address | undefined {
  const search = account === undefined ? {} : { account };
  const name = encodeURIComponent(id);
  switch (kind) {
    case 'task':
      return { to: `/tasks/${name}`, search: { ...search, ...(item !== undefined && { item }) } };
    case 'endpoint':
      return { to: `/endpoints/${name}`, search: { ...search, state: 'failed' } };
    case 'delivery':
      return { to: `/deliveries/${name}`, search };
    case 'bulk':
      return { to: `/bulk/${name}`, search };
    case 'request':
      return { to: `/requests/${name}`, search };
    case 'job':
      return undefined;
  }
}
