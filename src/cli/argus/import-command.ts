import { writeFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { CliCommand } from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import { writeConfiguration } from '../configuration/configuration-commands.ts';
import { readTextFile } from '../resources/change-commands.ts';
import { type ConvertedArgus, convertArgus } from './convert-argus.ts';
import { readArgus } from './read-argus.ts';

interface ImportOptions {
  output?: string;
  dryRun?: boolean;
  withSecrets?: boolean;
}

/** `import argus FILE`: a configuration for `apply`, and a list of what is not in it. */
export const importCommand: CliCommand = (command, { env, io }) => {
  command
    .command('argus')
    .description('Turns the configuration of Argus (release-argus.io) into one for pacekeeper apply.')
    .argument('<file>', 'the config.yml of Argus; - reads standard input')
    .option('-o, --output <file>', 'where to write; else standard output')
    .option('--dry-run', 'only say what would be carried over and what not')
    .option('--with-secrets', 'write tokens and addresses into the file instead of variables')
    .action(async (file: string, options: ImportOptions) => {
      const text = await readTextFile(io, file);
      let config: unknown;
      try {
        config = parse(text);
      } catch (error) {
        throw usageError(
          `${file} cannot be read: ${error instanceof Error ? error.message : 'it is no YAML'}`,
        );
      }
      const converted = convertArgus(readArgus(config), { withSecrets: options.withSecrets === true });
      const report = reportOf(converted);
      if (options.dryRun) return io.stdout(report);
      const server = env['PACEKEEPER_SERVER_URL']?.replace(/\/+$/, '');
      const written = writeConfiguration(
        converted,
        server ? `${server}/api/spec/pacekeeper.schema.json` : null,
      );
      if (options.output === undefined) io.stdout(written);
      else await writeFile(options.output, written);
      io.stderr(report);
    });
};

function reportOf({ document, notes }: ConvertedArgus): string {
  const counts = Object.entries(document).map(
    ([section, list]) => `  ${(list as unknown[]).length} ${section.replaceAll('_', ' ')}`,
  );
  const list = notes.map(({ about, note }) => `  ${cleanLine(about)}: ${cleanLine(note, 1_000)}`);
  return [
    `Carried over:\n${counts.length > 0 ? counts.join('\n') : '  nothing'}`,
    ...(list.length > 0 ? [`Not carried over, or not quite:\n${list.join('\n')}`] : []),
    '',
  ].join('\n');
}
