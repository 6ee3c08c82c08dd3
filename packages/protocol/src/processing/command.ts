/** What the house knows about a command besides running it. The reference page is made from these. */
import type { ParameterTable } from './parameters.ts';

/** - file: one; json: one file of JSON; files: a family of files, which no further command can take */
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
  /** From the segments behind the name. Throws a Fault and nothing else. */
  parse(segments: readonly string[]): SomePlan;
  /** Back to segments behind the name, the one canonical way. */
  print(plan: SomePlan): readonly string[];
  /** URLs of the further sources that it needs, in the order in which the engine takes them. */
  sources?(plan: SomePlan): readonly string[];
}
