import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { nearestName } from '../../domain/text/nearest-name.ts';
import { fileFromCaller } from '../../platform/caller-directory.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { ApiError } from '../../platform/errors.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { prepareNetwork } from '../../platform/outbound/index.ts';
import { type Installation, openInstallation } from '../../server/open-installation.ts';
import { BackupError } from '../backup/backup-stream.ts';
import { startFailure } from './serve-command.ts';

/** A command of the operator, which works on the database whether or not the server runs. */
export interface OperatorCommand {
  /** What is typed after `pacekeeper`: `admin create-user`. */
  name: string;
  /** What follows the name: `EMAIL --organization ID`. */
  synopsis: string;
  /** One line for the list of commands. */
  summary: string;
  /** For `--help`: the options and what else is to be known. */
  help: string;
  /** Names of the arguments without a dash, all of which are needed. */
  positionals: readonly string[];
  options: ParseArgsOptionsConfig;
  /**
   * Whether it applies pending migrations, and creates the embedded database where none exists. Other commands have
   * nothing to work on there, and leave it to the operator when the schema changes.
   */
  migrates?: true;
  /** `client` where the configuration of a whole server is not needed. */
  role?: 'client';
  run(context: CommandContext): Promise<void>;
}

export interface CommandContext {
  config: Config;
  log: Log;
  /** The arguments in the order of `positionals`. */
  args: readonly string[];
  /** The value of an option; null when it was not given. */
  option(name: string): string | null;
  isSet(name: string): boolean;
  /** Like `option`, for a secret. `-` reads the first line of standard input. */
  secretOption(name: string): Promise<string | null>;
  /** Opens the database, which has the schema of this version, with the connections that one command needs. It is closed afterwards. */
  open(as?: Config): Promise<Installation>;
  /** A line of the result, on standard output. */
  print(line: string): void;
  /** A line beside the result, on standard error. */
  note(line: string): void;
}

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The command cannot do it: exit code 1, and the message is the line that says why. */
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

/** Where lines go. */
export interface CommandOutput {
  stdout(text: string): void;
  stderr(text: string): void;
}

export const processOutput: CommandOutput = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
};

/** Runs a command. Answers the exit code: 0, 1 when it failed, 2 when it was called wrongly; each with one clear line. */
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
        command.positionals[index] === 'FILE' ? fileFromCaller(value, env) : value,
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
        : startFailure(error);
    print(sentence ?? `failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    for (const installation of opened) await installation.close();
  }
}

/** Without it, a wrong data directory would get a new database and key instead of an error. */
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
  const help = command.help.replace(/^\n+|\s+$/g, '');
  return `Usage: ${synopsisOf(command)}\n\n${help.split('\n\n').map(wrapped).join('\n\n')}\n`;
}

const helpWidth = 80;

/** A paragraph in lines of 80 cells. Options are indented, and stay as they are. */
function wrapped(paragraph: string): string {
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
    // Node's sentence goes on with advice on positional arguments that begin with a dash.
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
