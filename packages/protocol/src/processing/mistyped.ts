/**
 * Which command an unknown name was meant to be. Downloads call this for queries that could be anything (`?v=3`,
 * `?2026/01/02`), so it accepts only what nobody would write by chance: a different case, a different number at the end
 * (`imageView`, as it was once called), and before arguments one wrong letter in a long name.
 */
import { editDistance } from '../nearest.ts';

const MIN_LETTERS = 4;
const MIN_LETTERS_OF_TYPO = 7;

export function mistypedCommand(
  name: string,
  hasArguments: boolean,
  known: readonly string[],
): string | undefined {
  const typed = name.toLowerCase();
  return known.find((command) => {
    const meant = command.toLowerCase();
    if (meant.length < MIN_LETTERS) return false;
    if (typed === meant) return true;
    if (!hasArguments && unnumbered(meant) === meant) return false;
    return isNear(unnumbered(typed), unnumbered(meant), hasArguments);
  });
}

function unnumbered(name: string): string {
  return name.replace(/\d+$/, '');
}

function isNear(typed: string, meant: string, hasArguments: boolean): boolean {
  if (typed === meant) return true;
  return (
    hasArguments &&
    meant.length >= MIN_LETTERS_OF_TYPO &&
    Math.abs(typed.length - meant.length) <= 1 &&
    editDistance(typed, meant) <= 1
  );
}
