/** A call as curl makes it, with an access token in `$TOKEN`. */
import { dialects } from '@millpond/protocol';
import { useSession } from '../app/session-context.tsx';
import { shellWord } from '../ui/as-command.tsx';

export interface Curl {
  /** Whose host it goes to: `uc`, `rs`, `api` … */
  readonly role: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  /** Fields without a value are left out. */
  readonly form?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  /** An access token is not enough: `$TOKEN` is a signature of this very request. */
  readonly signed?: boolean;
}

export function useCurl(): (call: Curl) => string {
  const { hosts, dialect } = useSession();
  return ({ role, method, target, form, json, signed = false }) => {
    const host = hosts[role] ?? `$${role.toUpperCase()}`;
    const body = form !== undefined || json !== undefined;
    const lines = [
      `curl -H "Authorization: ${dialects[dialect].scheme} $TOKEN"`,
      ...(method === undefined || method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
      ...Object.entries(form ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`),
      ...(json === undefined
        ? []
        : ['-H "Content-Type: application/json"', `-d ${shellWord(JSON.stringify(json))}`]),
      host.startsWith('$') ? `"${host}${target}"` : shellWord(`${host}${target}`),
    ];
    return `${signed ? '# $TOKEN signs this very request: see the guide on signing\n' : ''}${lines.join(' \\\n  ')}`;
  };
}
