import { readFile } from 'node:fs/promises';
import { callOperation, type Item, isItem } from '../call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  collect,
  type OutputOptions,
} from '../cli-command.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { ConnectionOptions } from '../connect.ts';
import { printItem } from '../output/print-result.ts';
import { resolveReferences, setFields } from './body-fields.ts';
import { findItem, findKey, resourceArgument, resourceByName } from './find-resource.ts';
import { shapeOf } from './get-command.ts';
import { type Resource, resources } from './resource-table.ts';

interface BodyOptions extends ConnectionOptions, OutputOptions {
  file?: string;
  set?: string[];
}

type Verb = 'create' | 'update' | 'delete' | 'toggle';

const setHelp = 'Set a field, such as name=Web or thresholds.high=60; repeatable';
const fileHelp = 'YAML or JSON file with fields; - reads standard input';

/** `create RESOURCE` */
export const createCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addArgument(resourceArgument(namesThatCan('create')))
    .option('-f, --file <file>', fileHelp)
    .option('--set <member=value>', setHelp, collect)
    .action(async (name: string, options: BodyOptions) => {
      const resource = resourceThatCan('create', name);
      const body = await readBody(io, options, resource.createSchema!);
      const { api } = await connect(options);
      const made = await callOperation(api, resource.create!, { body: await resolveReferences(api, body) });
      await printItem(io, options.output, isItem(made) ? made : {}, shapeOf(resource));
    });
};

/** `update RESOURCE ID|NAME` */
export const updateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addArgument(resourceArgument(namesThatCan('update')))
    .argument('<id-or-name>')
    .option('-f, --file <file>', fileHelp)
    .option('--set <member=value>', setHelp, collect)
    .action(async (name: string, reference: string, options: BodyOptions) => {
      const resource = resourceThatCan('update', name);
      const body = await readBody(io, options, resource.updateSchema!);
      const { api } = await connect(options);
      const key = await findKey(api, resource, reference);
      const path = { [resource.key]: key };
      const changed = await callOperation(api, resource.update!, {
        path,
        body: await resolveReferences(api, body),
      });
      await printItem(io, options.output, isItem(changed) ? changed : {}, shapeOf(resource));
    });
};

/** `delete RESOURCE ID|NAME…` */
export const deleteCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .addArgument(resourceArgument(namesThatCan('delete')))
    .argument('<id-or-name...>')
    .option('--cascade', 'Also delete the alert configurations that use it')
    .option('-y, --yes', 'Skip confirmation')
    .action(
      async (
        name: string,
        references: string[],
        options: ConnectionOptions & { cascade?: boolean; yes?: boolean },
      ) => {
        const resource = resourceThatCan('delete', name);
        if (options.cascade && !resource.canCascade)
          throw usageError(`--cascade applies to jobs only, not to a ${resource.word}.`);
        const { api } = await connect(options);
        // All of them are known before the first one is gone.
        const items: Item[] = [];
        for (const reference of references) items.push(await findItem(api, resource, reference));
        const named = items.map((item) => describeItem(resource, item));
        if (!options.yes)
          await confirm(
            io,
            `Delete ${named.join(', ')}? ${resource.deleteWarning ? `${resource.deleteWarning} ` : ''}`,
          );
        for (const [index, item] of items.entries()) {
          await callOperation(api, resource.delete!, {
            path: { [resource.key]: item[resource.key] },
            ...(options.cascade && { query: { cascade: true } }),
          });
          io.stdout(`${named[index]} ${resource.name === 'api-keys' ? 'deactivated' : 'deleted'}\n`);
        }
      },
    );
};

/** `toggle RESOURCE ID|NAME` */
export const toggleCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .addArgument(resourceArgument(namesThatCan('toggle')))
    .argument('<id-or-name>')
    .action(async (name: string, reference: string, options: ConnectionOptions) => {
      const resource = resourceThatCan('toggle', name);
      const { api } = await connect(options);
      const id = await findKey(api, resource, reference);
      // Jobs have no operation of their own for it.
      const toggled = resource.toggle
        ? await callOperation(api, resource.toggle, { path: { id } })
        : await callOperation(api, resource.update!, {
            path: { id },
            body: { is_active: (await findItem(api, resource, id))['is_active'] !== true },
          });
      const item = isItem(toggled) ? toggled : {};
      io.stdout(`${describeItem(resource, item)} is ${item['is_active'] === true ? 'active' : 'inactive'}\n`);
    });
};

/** Asks a person; without one, `--yes` has to be said. */
export async function confirm(io: CliIo, question: string): Promise<void> {
  if (!io.isInputTerminal)
    throw usageError(`Confirmation required: ${question.trim()} Use --yes to skip the prompt.`);
  const answer = await io.ask(`${question}[y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Canceled.');
}

function describeItem(resource: Resource, item: Item): string {
  const name = resource.nameOf(item);
  const key = String(item[resource.key]);
  return name === null || name === key ? `${resource.word} ${key}` : `${resource.word} ${key} "${name}"`;
}

function can(resource: Resource, verb: Verb): boolean {
  if (resource[verb] !== undefined) return true;
  // Jobs are turned on and off by a change.
  return verb === 'toggle' && resource.name.endsWith('-jobs');
}

function resourceThatCan(verb: Verb, name: string): Resource {
  const resource = resourceByName(name);
  if (can(resource, verb)) return resource;
  throw usageError(`${resource.name} doesn't support ${verb}. Available: ${namesThatCan(verb).join(', ')}.`);
}

function namesThatCan(verb: Verb): string[] {
  return resources.filter((resource) => can(resource, verb)).map(({ name }) => name);
}

async function readBody(io: CliIo, { file, set = [] }: BodyOptions, schemaName: string): Promise<Item> {
  if (file === undefined && set.length === 0)
    throw usageError('Specify fields with -f FILE or --set field=value.');
  const body = file === undefined ? {} : await readItem(io, file);
  return setFields(body, set, schemaName);
}

/** A YAML or JSON file that holds one object. */
async function readItem(io: CliIo, file: string): Promise<Item> {
  const text = await readTextFile(io, file);
  const { parse } = await import('yaml');
  let item: unknown;
  try {
    item = parse(text);
  } catch (error) {
    throw usageError(`Can't read ${file}: ${error instanceof Error ? error.message : 'not valid YAML'}`);
  }
  if (!isItem(item)) throw usageError(`${file} must contain fields such as name: Web.`);
  return item;
}

/** `-` is standard input. */
export async function readTextFile(io: CliIo, file: string): Promise<string> {
  if (file === '-') return io.readStdin();
  return readFile(file, 'utf8').catch((error: Error) => {
    throw usageError(`Can't read the file: ${error.message}`);
  });
}
