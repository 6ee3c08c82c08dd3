/** Recognises what somebody pastes: an id of ours leads to what it names. */

export interface PastedIdMatch {
  readonly kind: 'task' | 'request' | 'delivery' | 'key';
  readonly id: string;
  readonly to: string;
}

const TASK = /^[a-z0-9][a-z0-9-]{0,31}\.[0-9a-f]{40}$/;
const DELIVERY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Twelve random characters and a count of at least four. */
const REQUEST = /^[\w-]{12}[0-9a-z]{4,8}$/;
const ACCESS_KEY = /^[\w-]{40}$/;

/** Everything that the text could be the id of, the likeliest first. */
export function pastedId(text: string): PastedIdMatch[] {
  const id = text.trim();
  if (TASK.test(id)) return [{ kind: 'task', id, to: `/tasks/${id}` }];
  if (DELIVERY.test(id)) return [{ kind: 'delivery', id, to: `/deliveries/${id}` }];
  if (ACCESS_KEY.test(id)) return [{ kind: 'key', id, to: `/keys/${id}` }];
  if (REQUEST.test(id) && /\d/.test(id)) return [{ kind: 'request', id, to: `/requests/${id}` }];
  return [];
}
