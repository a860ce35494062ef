import type { Argument, Command, Option } from 'commander';
import { buildCommand } from './build-command.ts';
import { type CliContext, completionsOf } from './cli-command.ts';
import { cliCommands } from './command-list.ts';

/** A command of the program: what completion offers, whatever the command does. */
export interface CommandNode {
  name: string;
  summary: string;
  options: readonly OptionNode[];
  arguments: readonly ArgumentNode[];
  commands: readonly CommandNode[];
}

export interface OptionNode {
  /** `--output`, `-o`. */
  names: readonly string[];
  summary: string;
  takesValue: boolean;
  /** What the value can be; empty when it can be anything. */
  values: readonly string[];
}

export interface ArgumentNode {
  values: readonly string[];
}

/** The API commands as they are defined, so that none of their options can be missing. */
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
