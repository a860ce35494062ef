import type { CommandNode } from '../command-tree.ts';

export interface FlatCommand {
  /** The words that lead to it: `preview scrape`; empty for the program. */
  path: string;
  node: CommandNode;
}

/** A command and all below it. */
export function flatCommands(node: CommandNode, path = ''): FlatCommand[] {
  return [
    { path, node },
    ...node.commands.flatMap((inner) => flatCommands(inner, `${path} ${inner.name}`.trim())),
  ];
}

/** `get --output`: an option that takes the next word as its value. */
export function valueOptionsOf(commands: readonly FlatCommand[]): string[] {
  return commands.flatMap(({ path, node }) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
}

/** What can be at a place of a command, counted from 0 without options and their values. */
export interface PlaceValues {
  path: string;
  place: number;
  values: readonly string[];
}

export function placesOf(commands: readonly FlatCommand[]): PlaceValues[] {
  return commands.flatMap(({ path, node }) => {
    if (node.commands.length > 0) return [{ path, place: 0, values: node.commands.map(({ name }) => name) }];
    return node.arguments
      .map(({ values }, place) => ({ path, place, values }))
      .filter(({ values }) => values.length > 0);
  });
}
