/** Fields that no server knows. A server ignores them, so the signer of a policy has to be told beforehand. */
import { nearestName } from '../nearest.ts';
import { policyFields } from './fields.ts';

export interface UnknownField {
  readonly name: string;
  /** The field that was probably meant. */
  readonly meant?: string;
}

const NAMES = Object.keys(policyFields);
const MAX_NAMED = 20;
const MAX_CHARACTERS = 64;

/** At most twenty; a field without a value is not written, so it does not count. */
export function unknownPolicyFields(policy: object): UnknownField[] {
  return Object.entries(policy)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(policyFields, name))
    .slice(0, MAX_NAMED)
    .map(([name]) => {
      const meant = nearestName(name, NAMES);
      return { name: name.slice(0, MAX_CHARACTERS), ...(meant === undefined ? {} : { meant }) };
    });
}

/** Such as `fsizeLimt (did you mean fsizeLimit?), colour`. */
export function unknownFieldWords(fields: readonly UnknownField[]): string {
  return fields
    .map(({ name, meant }) => (meant === undefined ? name : `${name} (did you mean ${meant}?)`))
    .join(', ');
}
