import { cleanLine } from '../../domain/templates/clean-text.ts';
import { capitalized } from '../../domain/text/capitalized.ts';
import { callOperation, type Item, isItem } from '../call-operation.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  collect,
  type OutputOptions,
} from '../cli-command.ts';
import { CliError, describeError, exitCodeOf, usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { ConnectionOptions } from '../connect.ts';
import { printItem, printItems } from '../output/print-result.ts';
import { readTextFile } from '../read-text-file.ts';
import { applyAssignments, resolveReferences, resolveSetting, setsNestedField } from './body-fields.ts';
import { fieldHelp } from './field-help.ts';
import { describeItem, findKey, resourceArgument } from './find-resource.ts';
import { resultShapeOf } from './get-command.ts';
import type { Resource } from './resource-table.ts';
import { resourceNamesSupporting, resourceSupporting } from './verbs.ts';

interface BodyOptions extends ConnectionOptions, OutputOptions {
  file?: string;
  set?: string[];
}

const setHelp = 'Set a field, such as name=Web or thresholds.high=60; repeatable';
const fileHelp = 'YAML or JSON file with fields; - reads standard input';

/** `create RESOURCE`: creates a resource. */
export const createCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addArgument(resourceArgument(resourceNamesSupporting('create')))
    .option('-f, --file <file>', fileHelp)
    .option('--set <field=value>', setHelp, collect)
    .addHelpText('after', fieldHelp('create', io.columns))
    .action(async (name: string, options: BodyOptions) => {
      const resource = resourceSupporting('create', name);
      const body = await applyAssignments(
        await readFields(io, options),
        options.set ?? [],
        resource.createSchema!,
      );
      const { api } = await connect(options);
      const created = await callOperation(api, resource.create!, {
        body: await resolveReferences(api, body),
      });
      const item = isItem(created) ? created : {};
      const shown = options.output === 'table' ? withoutEmpty(item) : item;
      await printItem(io, options.output, shown, resultShapeOf(resource));
      if (options.output === 'table' && resource.name === 'hooks')
        io.stderr(`Secret, which isn't shown again: ${String(item['secret'])}\n`);
      if (options.output === 'table' && resource.name === 'audit-exports')
        io.stderr(`Signing secret, which isn't shown again: ${String(item['signing_secret'])}\n`);
      if (options.output === 'table' && isPending(resource, item))
        io.stderr(
          `Not evaluated yet: the first evaluation is pending. To see the result, run 'pacekeeper explain ${String(item['id'])}'.\n`,
        );
    });
};

/** Removes empty fields, because most fields of a new resource don't have a value yet. */
function withoutEmpty(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).flatMap(([field, value]) => {
      const shown = isItem(value) ? withoutEmpty(value) : value;
      const isEmpty =
        shown === null ||
        shown === '' ||
        (Array.isArray(shown) && shown.length === 0) ||
        (isItem(shown) && Object.keys(shown).length === 0);
      return isEmpty ? [] : [[field, shown]];
    }),
  );
}

/** True if the item is an alert configuration that the server hasn't evaluated yet. */
function isPending({ name }: Resource, item: Item): boolean {
  return name === 'alert-configs' && item['is_active'] === true && item['last_evaluated_at'] === null;
}

/** `update RESOURCE ID|NAME…`: updates resources. */
export const updateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .addArgument(resourceArgument(resourceNamesSupporting('update')))
    .argument('<id-or-name...>', 'IDs or names. All of them get the same field values')
    .option('-f, --file <file>', fileHelp)
    .option('--set <field=value>', setHelp, collect)
    .addHelpText('after', fieldHelp('update', io.columns))
    .action(async (name: string, references: string[], options: BodyOptions) => {
      const resource = resourceSupporting('update', name);
      const fileFields = await readFields(io, options);
      const { set = [], output } = options;
      const withParts = (reference: string, current: Item) => {
        const setting = resource.name === 'settings' ? reference.replace(/^settings?\//, '') : undefined;
        return applyAssignments(fileFields, set, resource.updateSchema!, {
          current,
          ...(setting && { setting }),
        });
      };
      // Report mistakes before sending the first request.
      for (const reference of references) await withParts(reference, {});
      if (references.length > 1 && fileFields['revision'] !== undefined)
        throw usageError(
          'The file contains the revision of one resource. To update several resources, remove the revision field from the file.',
        );
      const { api } = await connect(options);
      const [only = ''] = references;
      if (references.length === 1) return printItem(io, output, await update(only), resultShapeOf(resource));
      const changed: Item[] = [];
      const failures: unknown[] = [];
      for (const reference of references) {
        try {
          const item = await update(reference);
          changed.push(item);
          if (output === 'table') io.stdout(`${capitalized(describeItem(resource, item))} updated\n`);
        } catch (error) {
          failures.push(error);
          io.stderr(`${cleanLine(reference, 200)}: ${describeError(error)}\n`);
        }
      }
      if (output !== 'table') await printItems(io, output, changed, resultShapeOf(resource));
      if (failures.length > 0)
        throw new CliError(`${failures.length} of ${references.length} failed.`, exitCodeOf(failures[0]));

      async function update(reference: string): Promise<Item> {
        const key = await findKey(api, resource, reference);
        const path = { [resource.key]: key };
        // The API replaces a whole field, so the request must include the unchanged parts.
        const read =
          setsNestedField(set) && resource.get ? await callOperation(api, resource.get, { path }) : null;
        const current = isItem(read) ? read : {};
        const body = await withParts(reference, current);
        const after = await callOperation(api, resource.update!, {
          path,
          body: await (resource.name === 'settings'
            ? resolveSetting(api, key, body)
            : resolveReferences(api, body)),
          ...ifMatchOf({ ...current, ...fileFields }),
        });
        return isItem(after) ? after : {};
      }
    });
};

/**
 * Returns the header that prevents overwriting a newer revision. The expected revision is the one that this
 * command has read, or the one in a file that the `get` command wrote.
 */
function ifMatchOf({ revision }: Item) {
  return Number.isInteger(revision) ? { headers: { 'if-match': `"${String(revision)}"` } } : {};
}

/** Reads the fields of the file. Requires a file or an assignment. */
async function readFields(io: CliIo, { file, set = [] }: BodyOptions): Promise<Item> {
  if (file === undefined && set.length === 0)
    throw usageError('Specify fields with -f FILE or --set field=value.');
  return file === undefined ? {} : readItem(io, file);
}

/** Reads a YAML or JSON file that contains one object. */
async function readItem(io: CliIo, file: string): Promise<Item> {
  const text = await readTextFile(io, file);
  const { parseYamlFile } = await import('../parse-yaml-file.ts');
  const { value: item } = parseYamlFile(text, file === '-' ? 'standard input' : file);
  if (!isItem(item)) throw usageError(`${file} must contain fields such as name: Web.`);
  return item;
}
