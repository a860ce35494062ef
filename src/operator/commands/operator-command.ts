import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { resolveCallerPath } from '../../platform/caller-directory.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { ApiError } from '../../platform/errors.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { prepareNetwork } from '../../platform/outbound/index.ts';
import { type Installation, openInstallation } from '../../server/open-installation.ts';
import { BackupError } from '../backup/backup-stream.ts';
import { describeStartFailure } from './serve-command.ts';

/** An operator command. It accesses the database directly, whether or not a server is running. */
export interface OperatorCommand {
  /** Words after `pacekeeper`, such as `admin create-user`. */
  name: string;
  /** Arguments after the name, such as `EMAIL --organization ID`. */
  synopsis: string;
  /** One-line summary for the list of commands. */
  summary: string;
  /** Text for `--help`: the options and further information. */
  help: string;
  /** Names of the positional arguments, all of which are required. */
  positionals: readonly string[];
  options: ParseArgsOptionsConfig;
  /**
   * True if the command applies pending migrations and creates the embedded database if none exists. Other commands do
   * neither: without a database, they have no data to process, and the operator decides when the schema changes.
   */
  migrates?: true;
  /** `client` if the command doesn't need the full configuration of a server. */
  role?: 'client';
  run(context: CommandContext): Promise<void>;
}

export interface CommandContext {
  config: Config;
  log: Log;
  /** Positional arguments, in the order of `positionals`. */
  args: readonly string[];
  /** Returns the value of an option. `null` if the option isn't set. */
  option(name: string): string | null;
  isSet(name: string): boolean;
  /**
   * Returns the value of an option that contains a secret. If the value is `-`, the secret is the first line of
   * standard input.
   */
  secretOption(name: string): Promise<string | null>;
  /**
   * Opens the database with the schema of this version and enough connections for one command. The database
   * is closed when the command ends.
   */
  open(as?: Config): Promise<Installation>;
  /** Prints a line of the result to standard output. */
  print(line: string): void;
  /** Prints an additional message to standard error. */
  note(line: string): void;
}

/** The arguments of a command are invalid. The exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command can't complete. The exit code is 1, and the message is a one-line reason. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Standard input, or its replacement in tests. */
export interface CommandInput extends AsyncIterable<string | Uint8Array> {
  isTTY?: boolean;
}

/** Standard output and standard error, or their replacement in tests. */
export interface CommandOutput {
  stdout(text: string): void;
  stderr(text: string): void;
}

export const processOutput: CommandOutput = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
};

/**
 * Runs a command and prints one line for an error.
 *
 * @returns The exit code: 0 on success, 1 if the command failed, 2 if its arguments are invalid.
 */
export async function runOperatorCommand(
  command: OperatorCommand,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output: CommandOutput = processOutput,
  input: CommandInput = process.stdin,
): Promise<number> {
  const print = (message: string) => output.stderr(`pacekeeper ${command.name}: ${message}\n`);
  const opened: Installation[] = [];
  try {
    const { values, positionals } = parse(command, argv);
    if (values['help'] === true) {
      output.stdout(usageOf(command));
      return 0;
    }
    const config = readConfig(env, command.role && { role: command.role });
    prepareNetwork(config);
    const log = createLog({
      level: 'warn',
      format: config.logFormat,
      destination: { write: (text) => output.stderr(text) },
    });
    for (const warning of config.warnings) log.warn(warning);
    await command.run({
      config,
      log,
      args: positionals.map((value, index) =>
        command.positionals[index] === 'FILE' ? resolveCallerPath(value, env) : value,
      ),
      option: (name) => (typeof values[name] === 'string' ? values[name] : null),
      secretOption: async (name) =>
        values[name] === '-'
          ? readSecret(name, input)
          : typeof values[name] === 'string'
            ? values[name]
            : null,
      isSet: (name) => values[name] === true,
      async open(as = config) {
        if (!command.migrates) requireDatabase(as);
        const installation = await openInstallation(as, log, {
          poolSize: 2,
          mayJoin: true,
          ...(!command.migrates && { migrate: 'if-empty' }),
        });
        opened.push(installation);
        return installation;
      },
      print: (line) => output.stdout(`${line}\n`),
      note: (line) => output.stderr(`${line}\n`),
    });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      print(`${error.message} Usage: ${synopsisOf(command)}`);
      return 2;
    }
    const sentence =
      error instanceof ApiError || error instanceof CommandError || error instanceof BackupError
        ? error.message
        : describeStartFailure(error);
    print(sentence ?? `failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    for (const installation of opened) await installation.close();
  }
}

/**
 * Throws if no database exists. Without this check, a command with a wrong data directory would create a new database
 * and key there instead of failing.
 */
export function requireDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null || existsSync(path.join(dataDir, 'postgres'))) return;
  throw new CommandError(
    `no database found in ${dataDir}. Set PACEKEEPER_DATA_DIR or DATABASE_URL as for the server.`,
  );
}

async function readSecret(name: string, input: CommandInput): Promise<string> {
  if (input.isTTY)
    throw new UsageError(`--${name} - reads standard input, which is a terminal. Use a pipe or a file.`);
  let text = '';
  for await (const piece of input) text += String(piece);
  const [line = ''] = text.split(/\r?\n/u);
  if (line === '') throw new UsageError(`--${name} - found nothing on standard input.`);
  return line;
}

function usageOf(command: OperatorCommand): string {
  const help = command.help.trimEnd().replace(/^\n+/, '');
  return `Usage: ${synopsisOf(command)}\n\n${help.split('\n\n').map(wrapParagraph).join('\n\n')}\n`;
}

const helpWidth = 80;

/** Wraps a paragraph at 80 columns. Indented paragraphs, which list options, stay unchanged. */
function wrapParagraph(paragraph: string): string {
  if (paragraph.startsWith(' ')) return paragraph;
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > helpWidth) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}

function synopsisOf({ name, synopsis }: OperatorCommand): string {
  return `pacekeeper ${name}${synopsis === '' ? '' : ` ${synopsis}`}`;
}

function parse({ options, positionals: names }: OperatorCommand, argv: readonly string[]) {
  let parsed;
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    parsed = parseArgs({
      args: [...argv],
      options: { ...options, help },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // Use only the first sentence. Node adds advice on positional arguments that begin with a dash.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('. ');
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(sentence!) ?? [];
    const near = unknown === undefined ? null : nearestName(unknown, Object.keys(options));
    throw new UsageError(`${sentence!.replace(/\.$/, '')}.${near ? ` Did you mean --${near}?` : ''}`);
  }
  const { values, positionals } = parsed;
  if (values['help'] !== true) {
    const missing = names[positionals.length];
    if (missing !== undefined) throw new UsageError(`${missing} is required.`);
    if (positionals.length > names.length)
      throw new UsageError(`unexpected argument "${positionals[names.length]}".`);
  }
  return { values: values as Record<string, string | boolean | undefined>, positionals };
}
