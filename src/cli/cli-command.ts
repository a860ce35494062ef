import { type Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { alertSeverities } from '../domain/rules/severity.ts';
import type { CliIo } from './cli-io.ts';
import type { CommandNode } from './command-tree.ts';
import type { Connection, ConnectionOptions } from './connect.ts';
import { readLabels } from './labels.ts';
import type { OutputFormat } from './output/print-result.ts';

export interface CliContext {
  env: NodeJS.ProcessEnv;
  io: CliIo;
  connect(options: ConnectionOptions): Promise<Connection>;
  /** Returns the commands that don't use the API. Completion includes them. */
  operatorCommands(): Promise<readonly CommandNode[]>;
}

/** Defines the arguments, options, and action of a command. The action reports failures by throwing. */
export type CliCommand = (command: Command, context: CliContext) => void;

/** Adds the options that every command with requests has. */
export function addConnectionOptions(command: Command): Command {
  return addServerOptions(command).option(
    '--api-key-file <file>',
    'File containing an API key, or the JSON output of create api-key (default: PACEKEEPER_API_KEY, then your login)',
  );
}

export function addServerOptions(command: Command): Command {
  return command
    .option('--server <url>', 'Server URL (default: PACEKEEPER_SERVER_URL, then the last login)')
    .option('--retries <n>', 'Number of retries when the server is unreachable', wholeNumber, 4);
}

/**
 * Adds the output option.
 * @param hasNames True if the result is a resource, which `-o name` can print as `rules/7`.
 */
export function addOutputOption(command: Command, { hasWide = false, hasNames = true } = {}): Command {
  const formats: OutputFormat[] = [
    'table',
    ...(hasWide ? (['wide'] as const) : []),
    'json',
    'yaml',
    'csv',
    ...(hasNames ? (['name'] as const) : []),
  ];
  return command.addOption(
    new Option('-o, --output <format>', 'Output format').choices(formats).default('table'),
  );
}

/** Creates an option that accepts a severity, such as `--severity`. The values are listed in the order of the API. */
export function severityOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(alertSeverities);
}

export interface OutputOptions {
  output: OutputFormat;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function isRepeatable(option: Option): boolean {
  return option.variadic || option.parseArg === (collect as Option['parseArg']);
}

/** Creates the `-l` option for commands that accept any number of labels. */
export function labelsOption(description: string): Option {
  return new Option('-l, --label <key=value>', description).argParser(collect);
}

/**
 * Creates the `-l` option for commands whose API filters by only one label. A second label is an error,
 * because it would replace the first.
 */
export function labelOption(description: string): Option {
  return new Option('-l, --label <key=value>', description).argParser((value: string, before?: string) => {
    if (before !== undefined)
      throw new InvalidArgumentError('This command accepts only one label. Remove the others.');
    readLabels([value]);
    return value;
  });
}

const completions = new WeakMap<Argument | Option, readonly string[]>();

/** Sets the values that completion suggests. Other values, such as short names, are valid too. */
export function withCompletions<T extends Argument | Option>(target: T, values: readonly string[]): T {
  completions.set(target, values);
  return target;
}

export function completionsOf(target: Argument | Option): readonly string[] {
  return completions.get(target) ?? [];
}

/** Adds the options that every list command has. */
export function addListOptions(command: Command): Command {
  return command
    .addOption(labelsOption('Filter by label; repeatable, and all must match'))
    .option('-q, --search <text>', 'Filter by name')
    .option('--sort <field>', 'Field to sort by, as listed below; --sort=-FIELD reverses the order')
    .option('--limit <n>', 'Maximum number of results (default: 50)', positiveNumber)
    .option('--all', 'Fetch all pages');
}

export interface ListCommandOptions {
  label?: string[];
  search?: string;
  sort?: string;
  limit?: number;
  all?: boolean;
}

function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Must be at least 1.');
  return number;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
}
