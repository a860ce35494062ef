import { capitalized } from '../../domain/text/capitalized.ts';
import { callOperation, type Item } from '../call-operation.ts';
import { addConnectionOptions, type CliCommand } from '../cli-command.ts';
import { CliError, usageError } from '../cli-error.ts';
import { confirm, confirmByTyping } from '../confirm.ts';
import type { ConnectionOptions } from '../connect.ts';
import { type Dependents, dependentsOf } from './dependents.ts';
import { describeItem, findItem, resourceArgument } from './find-resource.ts';
import type { Resource } from './resource-table.ts';
import { resourceNamesSupporting, resourceSupporting } from './verbs.ts';

interface DeleteOptions extends ConnectionOptions {
  cascade?: boolean;
  yes?: boolean;
}

/** `delete RESOURCE ID|NAME…`: deletes resources. */
export const deleteCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .addArgument(resourceArgument(resourceNamesSupporting('delete')))
    .argument('<id-or-name...>', 'IDs or names')
    .option(
      '--cascade',
      'Also delete dependent resources; for a channel, disable notification rules that have no other channel',
    )
    .option('-y, --yes', 'Skip confirmation')
    .action(async (name: string, references: string[], options: DeleteOptions) => {
      const resource = resourceSupporting('delete', name);
      const cascade = options.cascade === true;
      if (cascade && !resource.cascade)
        throw usageError(`--cascade has no effect on ${resource.name}; nothing else depends on them.`);
      const { api } = await connect(options);
      // Find all resources before deleting the first one.
      const items: Item[] = [];
      for (const reference of references) items.push(await findItem(api, resource, reference));
      const dependents: Dependents[] = [];
      for (const item of items) dependents.push(await dependentsOf(api, resource, item, { cascade }));
      assertDeletable(resource, items, dependents, ({ blocked }) => blocked ?? null);
      if (!cascade) assertDeletable(resource, items, dependents, ({ needsCascade }) => needsCascade);

      const report = dependents.flatMap((each, index) =>
        reportOf(describeItem(resource, items[index]!), each),
      );
      for (const line of report) io.stderr(`${line}\n`);
      const named = items.map((item) => describeItem(resource, item));
      const warning = resource.deleteWarning ? `${resource.deleteWarning} ` : '';
      const what = named.join(', ');
      const question = `${resource.isReset ? `Reset ${what} to the default` : `Delete ${what}`}? ${warning}This can't be undone. `;
      if (!options.yes) {
        const deletesDependents = dependents.some(({ needsCascade }) => needsCascade !== null);
        await (deletesDependents
          ? confirmByTyping(io, question, typedName(resource, items))
          : confirm(io, question));
      }
      for (const [index, item] of items.entries()) {
        await callOperation(api, resource.delete!, {
          path: { [resource.key]: item[resource.key] },
          ...(cascade && resource.cascade === 'requested' && { query: { cascade: true } }),
        });
        io.stdout(`${capitalized(named[index]!)} ${deletedAs(resource)}\n`);
      }
    });
};

function deletedAs({ name, isReset }: Resource): string {
  if (isReset) return 'reset to its default';
  return name === 'api-keys' ? 'revoked' : 'deleted';
}

function assertDeletable(
  resource: Resource,
  items: readonly Item[],
  dependents: readonly Dependents[],
  reasonOf: (dependents: Dependents) => string | null,
): void {
  const reasons = dependents.flatMap((each, index) => {
    const reason = reasonOf(each);
    return reason === null ? [] : [`${capitalized(describeItem(resource, items[index]!))} ${reason}`];
  });
  if (reasons.length > 0) throw new CliError(`Nothing was deleted. ${reasons.join('\n')}`);
}

function reportOf(what: string, { deleted, changed }: Dependents): string[] {
  const list = deleted.length > 0 ? [`Deleting ${what} also deletes ${deleted.join(' and ')}.`] : [];
  return [...list, ...changed];
}

/**
 * Returns the text that the user types to confirm: the name of a single resource, or the number of resources.
 */
function typedName(resource: Resource, items: readonly Item[]): string {
  const [only] = items;
  return only && items.length === 1
    ? (resource.nameOf(only) ?? String(only[resource.key]))
    : String(items.length);
}
