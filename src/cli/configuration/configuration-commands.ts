import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { addConnectionOptions, type CliCommand, wholeNumber } from '../cli-command.ts';
import { CliError, describeError, exitCodeOf } from '../cli-error.ts';
import type { ConnectionOptions } from '../connect.ts';
import { confirm, readTextFile } from '../resources/change-commands.ts';
import { applyPlan } from './apply-plan.ts';
import { type ExportedConfiguration, exportConfiguration } from './export-configuration.ts';
import { planConfiguration } from './plan-configuration.ts';
import { readConfiguration } from './read-configuration.ts';
import { readServerState } from './read-server-state.ts';
import { describeStep, renderPlan } from './render-plan.ts';

interface ExportCommandOptions extends ConnectionOptions {
  output?: string;
  withVersions?: boolean;
  withUrls?: boolean;
}

/** `export`: the whole configuration of the organization as a file. */
export const exportCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .option('-o, --output <file>', 'where to write; else standard output')
    .option('--with-versions', 'also the versions of manual scrape jobs')
    .option('--with-urls', 'addresses of channels as they are instead of variables; they are secrets')
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
        await writeFile(options.output, text);
        io.stderr(`Written to ${options.output}.\n`);
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
    ...(list.length > 0 ? ['# Variables to set before it is applied:\n', ...list] : []),
  ].join('');
  // Texts that other readers of YAML take for something else are quoted.
  const sections = Object.entries(document).map(([section, value]) =>
    stringify({ [section]: value }, { lineWidth: 0, compat: 'yaml-1.1' }),
  );
  // Between sections an empty line, unless it would belong to a text that ends with some.
  return sections.reduce((text, section) => `${text}${text.endsWith('\n\n') ? '' : '\n'}${section}`, header);
}

interface ApplyCommandOptions extends ConnectionOptions {
  file: string;
  prune?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  updateSecrets?: boolean;
  wait: number;
}

/** `apply -f FILE` */
export const applyCommand: CliCommand = (command, { env, io, connect }) => {
  addConnectionOptions(command)
    .requiredOption('-f, --file <file>', 'the configuration; - reads standard input')
    .option('--prune', 'also delete what the file has not, in the sections that it has')
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('-y, --yes', 'do not ask')
    .option(
      '--update-secrets',
      'write headers, preset options and signing secrets again: nobody can compare them',
    )
    .option(
      '--wait <seconds>',
      'how long to wait for gather jobs that a helm sync job makes',
      wholeNumber,
      120,
    )
    .action(async (options: ApplyCommandOptions) => {
      const wanted = readConfiguration(await readTextFile(io, options.file), options.file, env);
      const { api } = await connect(options);
      const plan = planConfiguration(wanted, await readServerState(api), {
        prune: options.prune === true,
        updateSecrets: options.updateSecrets === true,
      });
      for (const note of plan.notes) io.stderr(`Note: ${note}\n`);
      io.stdout(renderPlan(plan, io.hasColor));
      if (options.dryRun || plan.steps.length === 0) return;
      if (!options.yes) await confirm(io, 'Do this? ');
      let done = 0;
      try {
        await applyPlan(api, plan, {
          waitSeconds: options.wait,
          onDone: (step) => {
            done++;
            io.stdout(`${doneWords[step.action]} ${describeStep(step)}\n`);
          },
          onWait: (text) => io.stderr(`${text}\n`),
        });
      } catch (error) {
        const left = plan.steps.slice(done + 1).map((step) => `  ${describeStep(step)}`);
        const rest = left.length > 0 ? `\nNot done either:\n${left.join('\n')}` : '';
        throw new CliError(
          `Stopped at ${describeStep(plan.steps[done]!)}: ${describeError(error)}\n${done} of ${plan.steps.length} steps are done. Apply the file again to go on from here.${rest}`,
          exitCodeOf(error),
        );
      }
      io.stdout(`Done: ${done} steps.\n`);
    });
};

const doneWords = {
  create: 'made',
  update: 'changed',
  delete: 'deleted',
  await: 'changed',
  set: 'set',
  unset: 'removed',
  'set-template': 'set',
  'unset-template': 'removed',
  'set-version': 'set',
} as const;
