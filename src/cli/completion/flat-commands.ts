import type { CommandNode } from '../command-tree.ts';

export interface FlatCommand {
  /** Words that lead to the command, such as `preview scrape`. Empty for the program. */
  path: string;
  node: CommandNode;
}

/** Returns a command and all of its subcommands. */
export function flatCommands(node: CommandNode, path = ''): FlatCommand[] {
  return [
    { path, node },
    ...node.commands.flatMap((inner) => flatCommands(inner, `${path} ${inner.name}`.trim())),
  ];
}

/** Returns the options that take the next word as their value, such as `get --output`. */
export function valueOptionsOf(commands: readonly FlatCommand[]): string[] {
  return commands.flatMap(({ path, node }) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
}

/**
 * Valid values of an argument of a command. `place` is the zero-based position, not counting options and
 * their values.
 */
export interface PositionValues {
  path: string;
  place: number;
  values: readonly string[];
}

export function positionValuesOf(commands: readonly FlatCommand[]): PositionValues[] {
  return commands.flatMap(({ path, node }) => {
    if (node.commands.length > 0) return [{ path, place: 0, values: node.commands.map(({ name }) => name) }];
    return node.arguments
      .map(({ values }, place) => ({ path, place, values }))
      .filter(({ values }) => values.length > 0);
  });
}
