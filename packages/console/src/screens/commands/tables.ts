/** Which parameters a form offers, from the protocol's own tables. */
import {
  type AnyForm,
  type CommandDefinition,
  type CommandName,
  commandDefinitions,
  nameIn,
  type Parameter,
  type ParameterTable,
  saveAsParameters,
} from '@millpond/protocol';

export interface Offered {
  readonly first?: CommandDefinition<never>['first'];
  readonly rest?: AnyForm;
  readonly words: readonly string[];
  /** In their order, and possibly several times. */
  readonly isSteps: boolean;
  readonly table: ParameterTable;
}

export const commandNames = Object.keys(commandDefinitions) as CommandName[];

/** Undefined: no such command. */
export function offeredBy(name: string, first: string | undefined): Offered | undefined {
  if (name === 'saveas') return { words: [], isSteps: false, table: saveAsParameters };
  if (!Object.hasOwn(commandDefinitions, name)) return undefined;
  const {
    first: leading,
    rest,
    words = [],
    steps = false,
    ...definition
  } = commandDefinitions[name as CommandName];
  return {
    ...(leading === undefined ? {} : { first: leading }),
    ...(rest === undefined ? {} : { rest }),
    words,
    isSteps: steps,
    table: tableOf(name, first, definition),
  };
}

function tableOf(
  name: string,
  first: string | undefined,
  { parameters, more = [] }: Pick<CommandDefinition<never>, 'parameters' | 'more'>,
): ParameterTable {
  const [second, third, fourth] = more.map((each) => each.parameters);
  const merged = (...tables: readonly (ParameterTable | undefined)[]): ParameterTable =>
    Object.assign({}, ...tables);
  if (name === 'watermark')
    return first === '2'
      ? merged(second, fourth)
      : first === '4'
        ? merged(third, fourth)
        : first === '3'
          ? merged(parameters, second, fourth)
          : merged(parameters, fourth);
  const isPlain = name === 'avthumb' && first !== 'm3u8' && first !== 'hls';
  // Segments come last, and are for playlists only.
  return merged(parameters, ...(isPlain ? more.slice(0, -1) : more).map((each) => each.parameters));
}

export function parameterOf(
  { table }: Offered,
  written: string,
): { readonly name: string; readonly parameter: Parameter } | undefined {
  const name = nameIn(table, written);
  const parameter = name === undefined ? undefined : table[name];
  return name === undefined || parameter === undefined ? undefined : { name, parameter };
}
