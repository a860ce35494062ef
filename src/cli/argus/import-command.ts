import { parse } from 'yaml';
import { kinds } from '../../domain/configuration/kinds.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { CliCommand } from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import { writeConfiguration } from '../configuration/configuration-commands.ts';
import { counted } from '../output/counted.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeOutputFile } from '../write-output-file.ts';
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
    .description('Convert an Argus configuration (release-argus.io) to a Pacekeeper configuration file.')
    .argument('<file>', 'Argus config.yml; - reads standard input')
    .option('-o, --output <file>', 'Output file (default: standard output)')
    .option('--dry-run', 'Show what would be imported without writing a file')
    .option('--with-secrets', 'Write tokens and URLs in plain text instead of variables')
    .action(async (file: string, options: ImportOptions) => {
      const text = await readTextFile(io, file);
      let config: unknown;
      try {
        config = parse(text);
      } catch (error) {
        throw usageError(`Can't read ${file}: ${error instanceof Error ? error.message : 'not valid YAML'}`);
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
      else await writeOutputFile(options.output, written, { hasSecrets: options.withSecrets === true });
      io.stderr(report);
    });
};

function reportOf({ document, notes }: ConvertedArgus): string {
  const counts = Object.entries(document).map(
    ([section, list]) =>
      `  ${counted((list as unknown[]).length, kinds.find((kind) => kind.section === section)?.word ?? section)}`,
  );
  const list = notes.map(({ about, note }) => `  ${cleanLine(about)}: ${cleanLine(note, 1_000)}`);
  return [
    `Imported:\n${counts.length > 0 ? counts.join('\n') : '  nothing'}`,
    ...(list.length > 0 ? [`Not imported, or imported with changes:\n${list.join('\n')}`] : []),
    '',
  ].join('\n');
}
