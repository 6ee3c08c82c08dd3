/** What the system knows about a command besides running it. The reference page is generated from these. */
import type { ParameterTable } from './parameters.ts';

/** - file: one; json: one file of JSON; files: a set of files, which no further command can take */
export type Product = 'file' | 'json' | 'files';

export interface CommandDefinition<SomePlan> {
  /** `vframe/<format>/offset/<seconds>…`, for people. */
  readonly syntax: string;
  readonly about: string;
  readonly parameters: ParameterTable;
  /** More tables, each for one form of the command. */
  readonly more?: readonly { readonly title: string; readonly parameters: ParameterTable }[];
  /** Where we differ from Qiniu, and why. */
  readonly differences?: readonly string[];
  /** May run in idle time. */
  readonly idle: boolean;
  readonly product: Product | ((plan: SomePlan) => Product);
  /** From the segments after the name. Throws nothing but a Fault. */
  parse(segments: readonly string[]): SomePlan;
  /** Back to the segments after the name, in the one canonical form. */
  print(plan: SomePlan): readonly string[];
  /** URLs of the further sources it needs, in the order in which the engine takes them. */
  sources?(plan: SomePlan): readonly string[];
}
