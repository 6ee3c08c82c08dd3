/** A call of ours that a device accepted: what is needed to refer to it again, even from a process that did not make it. */
import { randomBytes } from 'node:crypto';
import type { SipResponse } from './message.ts';
import { formatRequest, type Header } from './write.ts';

export interface Dialog {
  readonly callId: string;
  /** With our tag, and with the device's. */
  readonly from: string;
  readonly to: string;
  /** Where requests of this call are sent. */
  readonly target: string;
  readonly sequence: number;
}

/** Our address towards the device, and the transport that reaches it. */
export interface LocalAddress {
  readonly transport: 'udp' | 'tcp';
  /** Our own `host:port`. */
  readonly host: string;
}

const CONTACT = /<(sips?:[\x21-\x3b\x3d\x3f-\x7e]{1,300})>|^(sips?:[\x21-\x3a\x3d\x3f-\x7e]{1,300})/;

export function newBranch(): string {
  return `z9hG4bK${randomBytes(8).toString('hex')}`;
}

export function viaOf({ transport, host }: LocalAddress, branch: string): Header {
  return ['Via', `SIP/2.0/${transport.toUpperCase()} ${host};rport;branch=${branch}`];
}

/** The call that this answer begins. `fallback`: where the request went. */
export function dialogOf(response: SipResponse, fallback: string): Dialog {
  const [, bracketed, bare] = CONTACT.exec(response.headers.get('contact')?.[0] ?? '') ?? [];
  return {
    callId: response.callId,
    from: response.from,
    to: response.to,
    target: bracketed ?? bare ?? fallback,
    sequence: response.cseq.number,
  };
}

export function formatAck(dialog: Dialog, route: LocalAddress): Buffer {
  return inDialog('ACK', dialog, dialog.sequence, route, newBranch());
}

export function formatBye(dialog: Dialog, route: LocalAddress, branch: string): Buffer {
  return inDialog('BYE', dialog, dialog.sequence + 1, route, branch);
}

function inDialog(
  method: string,
  dialog: Dialog,
  sequence: number,
  route: LocalAddress,
  branch: string,
): Buffer {
  return formatRequest({
    method,
    uri: dialog.target,
    headers: [
      viaOf(route, branch),
      ['From', dialog.from],
      ['To', dialog.to],
      ['Call-ID', dialog.callId],
      ['CSeq', `${sequence} ${method}`],
    ],
  });
}
