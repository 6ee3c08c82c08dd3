/**
 * What the refusal of a signature says besides its name. On a developer's machine, the text that should have been signed:
 * all of it came with the request. Elsewhere nothing, because it would reveal which access keys exist.
 */
import { Fault, type FaultOptions, type HashInput } from '@millpond/protocol';

/** `text`: what should have been signed, built only if it is shown. */
export type ExplainSignature = (detail: string, text?: () => readonly HashInput[]) => FaultOptions;

export function signatureExplainer(isOn: boolean): ExplainSignature {
  return isOn ? explained : (detail) => ({ detail });
}

/** A body may be megabytes long. */
const MAX_BYTES = 1024;

function explained(detail: string, text?: () => readonly HashInput[]): FaultOptions {
  try {
    return { detail, hint: text === undefined ? detail : `${detail}; the text to sign: ${visible(text())}` };
  } catch (error) {
    // A request with a line break where none is allowed has no text to sign.
    if (error instanceof Fault) return { detail, hint: detail };
    throw error;
  }
}

/** Makes every byte visible, in the format of `printf`. */
function visible(inputs: readonly HashInput[]): string {
  const bytes = Buffer.concat(
    inputs.map((input) => (typeof input === 'string' ? Buffer.from(input, 'latin1') : input)),
  );
  const shown = bytes
    .subarray(0, MAX_BYTES)
    .toString('latin1')
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, escaped);
  return bytes.length > MAX_BYTES ? `${shown}… (the first ${MAX_BYTES} of ${bytes.length} bytes)` : shown;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function escaped(character: string): string {
  return NAMED[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
