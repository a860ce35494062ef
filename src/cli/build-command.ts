import { type Argument, Command, Help, type Option } from 'commander';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { pluralOf } from '../domain/text/plural.ts';
import { type CliContext, completionsOf, isRepeatable } from './cli-command.ts';
import { usageError } from './cli-error.ts';
import { cliCommands } from './command-list.ts';

/** Builds a command of `cliCommands` that is ready to parse its arguments. */
export async function buildCommand(name: string, context: CliContext): Promise<Command> {
  const { io } = context;
  const { summary, load } = cliCommands[name]!;
  const command = new Command(`pacekeeper ${name}`)
    .description(summary)
    .helpOption('-h, --help', 'Show help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ optionDescription })
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      outputError: (text, write) => write(`pacekeeper ${name}: ${formatParseError(text, command)}`),
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
      getOutHasColors: () => io.hasColor,
      getErrHasColors: () => false,
    });
  const define = await load();
  define(command, context);
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
  rejectRepeatedOptions(command);
  return command;
}

function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

/**
 * Converts an error message, such as `error: unknown option '--al'\n(Did you mean --all?)`, to sentences. For
 * a missing argument, the valid values are added.
 */
function formatParseError(text: string, command: Command): string {
  const { registeredArguments } = command;
  const [what = '', ...hints] = text
    .trimEnd()
    .replace(/^error: /, '')
    .split('\n');
  const missing = registeredArguments.find((each) => what === `missing required argument '${each.name()}'`);
  if (missing?.variadic) return missingArgumentMessage(missing);
  const values = missing ? completionsOf(missing) : [];
  if (values.length > 0) hints.push(`Available: ${values.join(', ')}.`);
  hints.push(...fileHints(what, command));
  const hint = hints.map((line) => ` ${line.replace(/^\(|\)$/g, '')}`).join('');
  return `${what.replace(/^./, (letter) => letter.toUpperCase()).replace(/([^.?])$/, '$1.')}${hint}\n`;
}

/**
 * Returns the message for missing arguments. Arguments often come from another command, as in `ack
 * $(pacekeeper alerts -o name)`, so the message mentions that this command may have found nothing.
 */
function missingArgumentMessage(argument: Argument): string {
  const { description } = argument;
  const [what = ''] = /\bIDs\b/.test(description) ? description.split(/[,.]/) : [pluralOf(argument.name())];
  const noun = what.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `Missing ${noun}: specify at least one. If they come from another command, it found none.\n`;
}

/**
 * Returns hints for a file name that was passed without its option, or to a command that doesn't read files.
 */
function fileHints(what: string, { args, options, registeredArguments, commands }: Command): string[] {
  const [, configuration] = /^unknown command '(.+\.(?:ya?ml|json))'/.exec(what) ?? [];
  if (configuration !== undefined && commands.some((inner) => inner.name() === 'argus'))
    return [`To apply a configuration file, use 'pacekeeper apply -f ${cleanLine(configuration)}'.`];
  const file = args[registeredArguments.length];
  if (file === undefined || !/^(?:required option|too many arguments)/.test(what)) return [];
  const shown = cleanLine(file);
  if (options.some(({ long }) => long === '--file')) return [`To read a file, use -f ${shown}.`];
  const writes = options.some(({ long, flags }) => long === '--output' && flags.includes('<file>'));
  return writes ? [`To write to a file, use -o ${shown}.`] : [];
}

/** Throws an error if an option is repeated, because the first value would be lost silently. */
function rejectRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    if ((!option.required && !option.optional) || isRepeatable(option)) continue;
    let count = 0;
    command.on(`option:${option.name()}`, () => {
      count++;
      if (count > 1) throw usageError(`${option.long ?? option.short} can be used only once.`);
    });
  }
  for (const inner of command.commands) rejectRepeatedOptions(inner);
}
