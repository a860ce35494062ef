import type { Argument, Command, Option } from 'commander';
import { buildCommand } from './build-command.ts';
import { type CliContext, completionsOf } from './cli-command.ts';
import { cliCommands } from './command-list.ts';

/** A command of the program, as used for completion. */
export interface CommandNode {
  name: string;
  summary: string;
  options: readonly OptionNode[];
  arguments: readonly ArgumentNode[];
  commands: readonly CommandNode[];
}

export interface OptionNode {
  /** Names of the option, such as `--output` and `-o`. */
  names: readonly string[];
  summary: string;
  takesValue: boolean;
  /** Valid values. Empty if any value is valid. */
  values: readonly string[];
}

export interface ArgumentNode {
  values: readonly string[];
}

/** Returns the tree of API commands. The tree is built from the command definitions, so no option can be missing. */
export async function apiCommandTree(context: CliContext): Promise<CommandNode[]> {
  const nodes: CommandNode[] = [];
  for (const name of Object.keys(cliCommands))
    nodes.push({ ...toNode(await buildCommand(name, context)), name });
  return nodes;
}

function toNode(command: Command): CommandNode {
  return {
    name: command.name(),
    summary: command.description(),
    options: command.createHelp().visibleOptions(command).map(toOptionNode),
    arguments: command.registeredArguments.map(toArgumentNode),
    commands: command.commands.map(toNode),
  };
}

function toOptionNode(option: Option): OptionNode {
  return {
    names: [option.long, option.short].filter((name) => name !== undefined && name !== null),
    summary: option.description,
    takesValue: option.required || option.optional,
    values: option.argChoices ?? completionsOf(option),
  };
}

function toArgumentNode(argument: Argument): ArgumentNode {
  return { values: argument.argChoices ?? completionsOf(argument) };
}
