/** Who is signed in, as the server says it. The cookie that proves it is out of a script's reach. */
import { CONSOLE_HEADER, type SessionOptions, type SessionState } from '@millpond/protocol';

const OWN_PAGE = { [CONSOLE_HEADER]: '1' };

/** Why the server refused: its own words. */
export class SignInError extends Error {
  readonly status: number;
  readonly reqid: string | undefined;

  constructor(status: number, words: string, reqid: string | undefined) {
    super(words);
    this.status = status;
    this.reqid = reqid;
  }
}

/** Undefined if nobody is signed in. */
export async function currentSession(): Promise<SessionState | undefined> {
  const answer = await fetch('/session', { headers: OWN_PAGE });
  if (answer.status === 401) return undefined;
  return stateOf(answer);
}

export async function signInOptions(): Promise<SessionOptions> {
  const answer = await fetch('/session/options', { headers: OWN_PAGE });
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.json()) as SessionOptions;
}

export async function signIn(email: string, password: string, accessKey?: string): Promise<SessionState> {
  const body = new URLSearchParams({ email, password, ...(accessKey ? { accessKey } : {}) });
  return stateOf(await fetch('/session', { method: 'POST', headers: OWN_PAGE, body }));
}

export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE', headers: OWN_PAGE });
}

async function stateOf(answer: Response): Promise<SessionState> {
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.json()) as SessionState;
}

async function refusalOf(answer: Response): Promise<SignInError> {
  const text = await answer.text();
  return new SignInError(answer.status, wordsIn(text), answer.headers.get('x-reqid') ?? undefined);
}

function wordsIn(text: string): string {
  try {
    const { error, error_description: described, hint } = JSON.parse(text) as Record<string, string>;
    return described ?? hint ?? error ?? text;
  } catch {
    return text.slice(0, 200);
  }
}
