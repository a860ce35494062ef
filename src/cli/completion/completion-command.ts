import { Argument } from 'commander';
import type { CliCommand } from '../cli-command.ts';
import { apiCommandTree, type CommandNode } from '../command-tree.ts';
import { bashCompletion } from './bash-completion.ts';
import { fishCompletion } from './fish-completion.ts';
import { zshCompletion } from './zsh-completion.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/**
 * `completion SHELL`: prints a script that completes commands, options, and their values. All other words are
 * completed as file names.
 */
export const completionCommand: CliCommand = (command, context) => {
  command
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(shells)))
    .action(async (shell: keyof typeof shells) => {
      const commands = [...(await context.operatorCommands()), ...(await apiCommandTree(context))];
      context.io.stdout(shells[shell](programNode(commands)));
    });
};

/** Creates the root node, which contains everything that can follow `pacekeeper`. */
function programNode(commands: readonly CommandNode[]): CommandNode {
  const names = commands.map(({ name }) => name);
  return {
    name: '',
    summary: '',
    options: [
      { names: ['--help', '-h'], summary: 'Show help', takesValue: false, values: [] },
      { names: ['--version', '-V'], summary: 'Show the version', takesValue: false, values: [] },
    ],
    arguments: [],
    commands: [
      ...commands,
      {
        name: 'help',
        summary: 'Show help for a command',
        options: [],
        commands: [],
        arguments: [{ values: names }],
      },
    ],
  };
}
