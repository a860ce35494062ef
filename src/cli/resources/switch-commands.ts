import type { ApiClient } from '../../client/api-client.ts';
import { capitalized } from '../../domain/text/capitalized.ts';
import { callOperation, type Item, isItem } from '../call-operation.ts';
import { addConnectionOptions, type CliCommand } from '../cli-command.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { confirm } from '../confirm.ts';
import type { ConnectionOptions } from '../connect.ts';
import { counted } from '../output/counted.ts';
import { openAlertsOf } from './dependents.ts';
import { describeItem, findItem, resourceArgument } from './find-resource.ts';
import type { Resource } from './resource-table.ts';
import { resourceNamesSupporting, resourceSupporting } from './verbs.ts';

interface SwitchOptions extends ConnectionOptions {
  yes?: boolean;
}

export const enableCommand = createSwitchCommand('enable', true);
export const disableCommand = createSwitchCommand('disable', false);

/** `enable RESOURCE ID|NAME…` and `disable RESOURCE ID|NAME…`: idempotent, unlike `toggle`. */
function createSwitchCommand(verb: 'enable' | 'disable', isActive: boolean): CliCommand {
  return (command, { io, connect }) => {
    addConnectionOptions(command)
      .addArgument(resourceArgument(resourceNamesSupporting('toggle')))
      .argument('<id-or-name...>', 'IDs or names')
      .option('-y, --yes', 'Skip confirmation')
      .action(async (name: string, references: string[], options: SwitchOptions) => {
        const resource = resourceSupporting('toggle', name, verb);
        const { api } = await connect(options);
        const items: Item[] = [];
        for (const reference of references) items.push(await findItem(api, resource, reference));
        if (!isActive && !options.yes) await warnOfOpenAlerts(io, api, resource, items);
        for (const item of items) {
          const changed = item['is_active'] !== isActive;
          const after = changed ? await setActive(api, resource, item, isActive) : item;
          io.stdout(
            `${capitalized(describeItem(resource, after))} ${changed ? '' : 'is already '}${verb}d\n`,
          );
        }
      });
  };
}

/** `toggle RESOURCE ID|NAME`: enables or disables a resource. */
export const toggleCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .addArgument(resourceArgument(resourceNamesSupporting('toggle')))
    .argument('<id-or-name>', 'ID or name')
    .option('-y, --yes', 'Skip confirmation')
    .action(async (name: string, reference: string, options: SwitchOptions) => {
      const resource = resourceSupporting('toggle', name);
      const { api } = await connect(options);
      const before = await findItem(api, resource, reference);
      if (before['is_active'] === true && !options.yes) await warnOfOpenAlerts(io, api, resource, [before]);
      const item = resource.toggle
        ? await callOperation(api, resource.toggle, { path: { id: before['id'] } })
        : await setActive(api, resource, before, before['is_active'] !== true);
      const after = isItem(item) ? item : before;
      io.stdout(
        `${capitalized(describeItem(resource, after))} ${after['is_active'] === true ? 'enabled' : 'disabled'}\n`,
      );
    });
};

/** Maximum number of attempts if another client toggles the resource at the same time. */
const maxToggles = 5;

/**
 * Enables or disables a resource with an update instead of a toggle, so that two concurrent calls don't
 * cancel each other out. API keys support only toggling, so the toggle is repeated until the response has the
 * requested value.
 */
async function setActive(api: ApiClient, resource: Resource, item: Item, isActive: boolean): Promise<Item> {
  const path = { id: item['id'] };
  if (resource.name !== 'api-keys') {
    const changed = await callOperation(api, resource.update!, { path, body: { is_active: isActive } });
    return isItem(changed) ? changed : item;
  }
  for (let count = 0; count < maxToggles; count++) {
    const toggled = await callOperation(api, resource.toggle!, { path });
    if (isItem(toggled) && toggled['is_active'] === isActive) return toggled;
  }
  throw new CliError(
    `${capitalized(describeItem(resource, item))} is being changed by someone else. Try again.`,
  );
}

/**
 * Prompts before disabling a resource with open alerts. Prompts only on a terminal, because a script disables
 * a resource intentionally.
 */
async function warnOfOpenAlerts(
  io: CliIo,
  api: ApiClient,
  resource: Resource,
  items: readonly Item[],
): Promise<void> {
  if (!io.isInputTerminal) return;
  for (const item of items.filter(({ is_active }) => is_active === true)) {
    const { openAlerts, configs } = await openAlertsOf(api, resource, item);
    if (openAlerts === 0) continue;
    const stopped = configs > 0 ? ` and stops ${counted(configs, 'alert configuration')}` : '';
    await confirm(
      io,
      `Disabling ${describeItem(resource, item)} resolves ${counted(openAlerts, 'open alert')}${stopped}. Continue? `,
    );
  }
}
