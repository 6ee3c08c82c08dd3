/**
 * ZLMediaKit's hooks: JSON, one address for each kind, answered with `{"code": 0}` for yes. It gives no number to a
 * publisher that its later hooks repeat, so a session is the stream itself. `on_stream_changed` comes once for each
 * protocol that the stream can be played by: only that of RTMP counts.
 */
import path from 'node:path';
import { decodeJson, Fault, parseFields } from '@millpond/protocol';
import { type Fields, fieldsOf } from '../../../platform/json.ts';
import type { Fact, Hook, HookAdapter } from './fact.ts';

const APPLICATION = 'live';

export const zlmediakit: HookAdapter = {
  factOf: zlmediakitFact,
  answerOf: (isAccepted) => ({
    status: 200,
    body: isAccepted ? { code: 0, msg: 'success' } : { code: -1, msg: 'refused' },
  }),
};

export function zlmediakitFact({ call, boot, body }: Hook): Fact | undefined {
  const hook = decodeJson(body);
  // What can't be read must not be taken for a hook that nobody minds.
  if (hook === undefined) throw new Fault('invalidArgument', { hint: 'the hook is not JSON in UTF-8' });
  const fields = fieldsOf(hook);
  const server = textOf(fields, 'mediaServerId') || boot;
  if (call === 'on_server_started')
    return { kind: 'started', boot: textOf(fields, 'general.mediaServerId') || server };
  const name = textOf(fields, 'stream');
  if (name === '' || textOf(fields, 'app') !== APPLICATION) return undefined;
  const session = { boot: server, client: name };
  switch (call) {
    case 'on_publish': {
      const shown = parseFields(textOf(fields, 'params'));
      const proof = {
        key: shown.get('key') ?? '',
        end: shown.get('e') ?? '',
        token: shown.get('token') ?? '',
      };
      return { kind: 'publish', ...session, name, address: textOf(fields, 'ip'), proof };
    }
    case 'on_stream_changed': {
      if (textOf(fields, 'schema') !== 'rtmp') return undefined;
      return fields.regist === true
        ? { kind: 'alive', ...session, name, address: textOf(fieldsOf(fields.originSock), 'peer_ip') }
        : { kind: 'gone', ...session };
    }
    case 'on_record_mp4': {
      const file = path.posix.basename(textOf(fields, 'file_name') || textOf(fields, 'file_path'));
      return file === '' ? undefined : { kind: 'recorded', name, file, recordType: 1 };
    }
    default:
      return undefined;
  }
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
