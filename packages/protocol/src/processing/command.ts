/** What the system knows about a command besides running it. The reference page is generated from these. */
import type { ParameterTable } from './parameters.ts';
import type { ValueSyntax } from './value-forms.ts';

/** - file: one; json: one file of JSON; files: a set of files, which no further command can take */
export type OutputKind = 'file' | 'json' | 'files';

/** To be asked for and checked; only its own command prints it. */
export type AnyForm = Pick<ValueSyntax<unknown>, 'form' | 'shape' | 'read'>;

export interface CommandDefinition<SomePlan> {
  /** `vframe/<format>/offset/<seconds>…`, for people. */
  readonly syntax: string;
  readonly about: string;
  readonly parameters: ParameterTable;
  /** More tables, each for one form of the command. */
  readonly more?: readonly { readonly title: string; readonly parameters: ParameterTable }[];
  /** What stands right after the name, without a name of its own. */
  readonly first?: { readonly name: 'mode' | 'format' | 'algorithm' | 'form'; readonly value: AnyForm };
  /** What stands last, any number of times, without names. */
  readonly rest?: AnyForm;
  /** Words that are written without a value. */
  readonly words?: readonly string[];
  /** Parameters are steps in their order, and may come several times. */
  readonly steps?: true;
  /** Where we differ from Qiniu, and why. */
  readonly differences?: readonly string[];
  /** May run in idle time. */
  readonly idle: boolean;
  readonly product: OutputKind | ((plan: SomePlan) => OutputKind);
  /** From the segments after the name. Throws nothing but a Fault. */
  parse(segments: readonly string[]): SomePlan;
  /** Back to the segments after the name, in the one canonical form. */
  print(plan: SomePlan): readonly string[];
  /** URLs of the further sources it needs, in the order in which the engine takes them. */
  sources?(plan: SomePlan): readonly string[];
}
