import { Document, Scalar, visit } from 'yaml';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { addConnectionOptions, type CliCommand, collect, wholeNumber } from '../cli-command.ts';
import { usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { confirm } from '../confirm.ts';
import type { ConnectionOptions } from '../connect.ts';
import { counted } from '../output/counted.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeOutputFile } from '../write-output-file.ts';
import { applyOnServer, planOnServer } from './apply-configuration.ts';
import { type ExportedConfiguration, exportConfiguration } from './export-configuration.ts';
import { mergeConfigurations } from './merge-configurations.ts';
import { type ConfigurationFile, describeRemark, readConfiguration } from './read-configuration.ts';
import { readServerState } from './read-server-state.ts';
import { renderPlan } from './render-plan.ts';
import { waitForCharts } from './wait-for-charts.ts';

interface ExportCommandOptions extends ConnectionOptions {
  output?: string;
  withVersions?: boolean;
  withUrls?: boolean;
}

/** `export`: the whole configuration of the organization as a file. */
export const exportCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .option('-o, --output <file>', 'Output file (default: standard output)')
    .option('--with-versions', 'Include the versions of manual scrape jobs')
    .option('--with-urls', 'Write channel URLs in plain text instead of variables (URLs are secrets)')
    .action(async (options: ExportCommandOptions) => {
      const { server, api } = await connect(options);
      const exported = exportConfiguration(await readServerState(api), {
        withVersions: options.withVersions === true,
        withUrls: options.withUrls === true,
      });
      const text = writeConfiguration(exported, `${server}/api/spec/pacekeeper.schema.json`);
      for (const note of exported.notes) io.stderr(`Note: ${note}\n`);
      if (options.output === undefined) io.stdout(text);
      else {
        await writeOutputFile(options.output, text, { hasSecrets: options.withUrls === true });
        io.stderr(`Wrote ${options.output}.\n`);
      }
    });
};

/** The file, with what an editor checks it by and the variables that it wants. */
export function writeConfiguration(
  { document, variables }: Pick<ExportedConfiguration, 'document' | 'variables'>,
  schemaUrl: string | null,
): string {
  const list = [...variables].map(([name, purpose]) => `#   ${name}: ${cleanLine(purpose, 400)}\n`);
  const header = [
    ...(schemaUrl === null ? [] : [`# yaml-language-server: $schema=${schemaUrl}\n`]),
    ...(list.length > 0 ? ['# Set these variables before applying:\n', ...list] : []),
  ].join('');
  const sections = Object.entries(document).map(([section, value]) => writeSection({ [section]: value }));
  // Between sections an empty line, unless it would belong to a text that ends with some.
  return sections.reduce((text, section) => `${text}${text.endsWith('\n\n') ? '' : '\n'}${section}`, header);
}

function writeSection(section: unknown): string {
  // Other YAML parsers read some plain strings as numbers or booleans, so `compat` quotes those.
  const document = new Document(section, { compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_, scalar) {
      // In a block scalar, a string of only spaces would be read as indentation.
      if (typeof scalar.value === 'string' && scalar.value.trim() === '') scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 });
}

interface ApplyCommandOptions extends ConnectionOptions {
  file: string[];
  prune?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  updateSecrets?: boolean;
  wait: number;
}

/** `apply -f FILE` */
export const applyCommand: CliCommand = (command, { env, io, connect }) => {
  addConnectionOptions(command)
    .requiredOption('-f, --file <file>', 'Configuration file; repeatable; - reads standard input', collect)
    .option('--prune', 'Delete resources missing from the file, in sections the file includes')
    .option('--dry-run', 'Show the plan without applying it')
    .option('-y, --yes', 'Skip confirmation')
    .option(
      '--update-secrets',
      "Rewrite headers, preset options, and signing secrets (they can't be compared)",
    )
    .option(
      '--wait <seconds>',
      'Seconds to wait until helm sync jobs find the charts of new gather jobs',
      wholeNumber,
      0,
    )
    .action(async (options: ApplyCommandOptions) => {
      const file = await readFiles(io, options.file, env);
      const { api } = await connect(options);
      const parameters = {
        prune: options.prune === true,
        update_secrets: options.updateSecrets === true,
      };
      const plan = await planOnServer(api, file, parameters);
      for (const note of plan.notes) io.stderr(`Note: ${describeRemark(file, note)}\n`);
      io.stdout(renderPlan(plan, file, io.hasColor));
      if (options.dryRun || plan.steps.length === 0) return;
      if (!options.yes) await confirm(io, 'Apply these changes? ');
      const { pending_gather_jobs: pending, steps_total } = await applyOnServer(
        api,
        file,
        parameters,
        plan,
        io,
      );
      io.stdout(`Applied ${counted(steps_total, 'change')}.\n`);
      for (const { name, chart } of pending)
        io.stderr(
          `Note: gather job "${cleanLine(name)}" is pending until its helm sync job finds chart ${cleanLine(chart)}.\n`,
        );
      if (options.wait > 0) await waitForCharts(api, pending, options.wait);
    });
};

async function readFiles(
  io: CliIo,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ConfigurationFile> {
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw usageError(`-f ${twice} is repeated.`);
  const read: ConfigurationFile[] = [];
  for (const file of files) {
    const text = await readTextFile(io, file);
    const name = file === '-' ? 'standard input' : file;
    read.push(readConfiguration(text, name, env, { isOneOfSeveral: files.length > 1 }));
  }
  return mergeConfigurations(read);
}
