/** A token that somebody has, taken apart: what it permits, whose key signed it, and what the server would say against it. */
import {
  decodeUtf8,
  Fault,
  type PolicyFields,
  parseUploadPolicy,
  splitUploadToken,
  tryDecodeBase64,
  unknownFieldWords,
  unknownPolicyFields,
} from '@millpond/protocol';
import { useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { LinesField } from '../../ui/lines-field.tsx';
import { draftOf } from './draft.ts';
import { PolicySummary } from './permits.tsx';
import type { Draft } from './search.ts';
import { TokenText } from './token-pane.tsx';
import styles from './tokens.module.css';

export function Explain({ now, edit }: { readonly now: number; readonly edit: (draft: Draft) => void }) {
  const say = useTranslations('tokens');
  // A token is a credential: it stays in this field, out of the address and out of storage.
  const [token, setToken] = useState('');
  const text = token.trim();
  const read = text === '' ? undefined : readToken(text);
  return (
    <div className={styles.explain}>
      <LinesField
        label={say('explain.paste')}
        hint={say('explain.pasteHint')}
        rows={4}
        value={token}
        onChange={(event) => setToken(event.target.value)}
        autoComplete="off"
      />
      {text !== '' && read === undefined && (
        <p className="note bad" role="status">
          {say('explain.none')}
        </p>
      )}
      {read !== undefined && (
        <>
          <TokenText token={text} />
          {read.fault === undefined ? (
            <PolicySummary policy={read.policy} deadline={read.policy.deadline ?? 0} now={now} />
          ) : (
            <p className="note bad" role="status">
              {say('explain.refused', { words: read.fault })}
            </p>
          )}
          {read.unknown !== '' && (
            <p className="note warn">{say('explain.unknown', { names: read.unknown })}</p>
          )}
          <p className="quiet">{say('explain.signature', { key: read.accessKey })}</p>
          <div className="row">
            <Button onClick={() => edit(draftOf(read.policy))}>{say('explain.edit')}</Button>
          </div>
          <div className="code">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
            <pre tabIndex={0}>{JSON.stringify(read.policy, null, 2)}</pre>
          </div>
        </>
      )}
    </div>
  );
}

interface ReadToken {
  readonly accessKey: string;
  readonly policy: PolicyFields;
  readonly fault: string | undefined;
  /** Fields without effect. */
  readonly unknown: string;
}

function readToken(text: string): ReadToken | undefined {
  const token = splitUploadToken(text);
  const bytes = token && tryDecodeBase64(token.encodedPolicy);
  const json = bytes && decodeUtf8(bytes);
  if (token === undefined || bytes === undefined || json === undefined) return undefined;
  let policy: unknown;
  try {
    policy = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return undefined;
  return {
    accessKey: token.accessKey,
    policy,
    fault: faultIn(bytes),
    unknown: unknownFieldWords(unknownPolicyFields(policy)),
  };
}

function faultIn(policy: Uint8Array): string | undefined {
  try {
    parseUploadPolicy(policy);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.hint ?? error.message;
    throw error;
  }
}
