import { compileLabelRules } from '../../domain/discovery/guess-labels.ts';
import { type PathPattern, parsePathPattern } from '../../domain/discovery/path-pattern.ts';
import { defaultExcludes } from '../../domain/discovery/scan-paths.ts';
import { type CliCommand, collect } from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import { writeConfiguration } from '../configuration/configuration-commands.ts';
import { readLabels } from '../labels.ts';
import { counted } from '../output/counted.ts';
import { printItem } from '../output/print-result.ts';
import { writeOutputFile } from '../write-output-file.ts';
import { summaryOf, tableOfItems } from './discovery-table.ts';
import { scanDirectory } from './scan-directory.ts';
import { toConfiguration } from './to-configuration.ts';

interface DiscoverOptions {
  output?: string;
  json?: boolean;
  all?: boolean;
  exclude?: string[];
  label?: string[];
  labelRule?: string[];
  rule?: string;
}

/** `discover DIR`: what a checkout deploys, and where its releases come from. Needs no server. */
export const discoverCommand: CliCommand = (command, { io, env, catalog }) => {
  command
    .argument('<dir>', 'Directory of a checkout')
    .option('-o, --output <file>', 'Write a configuration file for apply')
    .option('--json', 'Print JSON instead of a table')
    .option('--all', 'Also list parts of this repository, such as local charts and actions')
    .option(
      '--exclude <pattern>',
      `Path pattern to skip, as in .gitignore; repeatable (always skipped: ${defaultExcludes.join(' ')})`,
      collect,
    )
    .option('-l, --label <key=value>', 'Label for every alert configuration; repeatable', collect)
    .option(
      '--label-rule <regex>',
      'RE2 pattern for paths whose named groups become labels; repeatable',
      collect,
    )
    .option('--rule <name>', 'Name of an existing rule for alert configurations (default: a new one)')
    .action(async (directory: string, options: DiscoverOptions) => {
      const excludes = [...defaultExcludes, ...(options.exclude ?? [])].map(toPattern);
      const patterns = (options.labelRule ?? []).map((pattern) => ({ pattern, labels: {} }));
      const rules = compileLabelRules(patterns);
      if (!rules.ok) throw usageError(`--label-rule isn't valid: ${rules.message}`);
      const labels = readLabels(options.label ?? []);
      const labelsOf = (path: string) => ({ ...rules.labelsOf(path), ...labels });
      const scan = await scanDirectory(directory, { excludes, known: await catalog(), labelsOf });
      if (options.json)
        await printItem(io, 'json', toJson(directory, scan), { columns: [], nameOf: () => 'discovery' });
      else {
        io.stdout(tableOfItems(io, scan.items, { all: options.all === true }));
        io.stdout(summaryOf(scan));
      }
      if (options.output === undefined) return;
      const { document, versionCount } = toConfiguration(scan.items, { rule: options.rule ?? null });
      if (versionCount === 0)
        throw usageError(`Nothing to write to ${options.output}: no version can be proposed.`);
      const server = env['PACEKEEPER_SERVER_URL']?.replace(/\/+$/, '');
      const schemaUrl = server ? `${server}/api/spec/pacekeeper.schema.json` : null;
      const text = writeConfiguration({ document, variables: new Map() }, schemaUrl);
      await writeOutputFile(options.output, text, { hasSecrets: false });
      io.stderr(
        `Wrote ${options.output} with ${counted(versionCount, 'version')}. Check it, then run 'pacekeeper apply -f ${options.output}'.\n`,
      );
    });
};

function toPattern(text: string): PathPattern {
  const pattern = parsePathPattern(text);
  if (!pattern) throw usageError(`--exclude ${text} isn't a valid path pattern.`);
  return pattern;
}

function toJson(directory: string, scan: Awaited<ReturnType<typeof scanDirectory>>) {
  const { fileCount, items, omittedCount, problems, excluded } = scan;
  return { directory, file_count: fileCount, omitted_count: omittedCount, excluded, items, problems };
}
