/** The address of what caused a failure. */
import type { FailureRecord } from '@millpond/client/session';

type Cause = FailureRecord['cause'];

export interface Address {
  readonly to: string;
  readonly search?: Readonly<Record<string, unknown>>;
}

/** Undefined for what only operators' commands show. */
export function causeOf({ kind, id, item }: Cause): Address | undefined {
  const name = encodeURIComponent(id);
  switch (kind) {
    case 'task':
      return { to: `/tasks/${name}`, ...(item === undefined ? {} : { search: { item } }) };
    case 'endpoint':
      return { to: `/endpoints/${name}`, search: { state: 'failed' } };
    case 'delivery':
      return { to: `/deliveries/${name}` };
    case 'bulk':
      return { to: `/bulk/${name}` };
    case 'request':
      return { to: `/requests/${name}` };
    case 'job':
      return undefined;
  }
}
