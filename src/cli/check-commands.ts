import type { Schemas } from '../generated/client-api.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  collect,
  type OutputOptions,
} from './cli-command.ts';
import { CliError, usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { printItem, visible } from './output/print-result.ts';
import { readTextFile } from './resources/change-commands.ts';
import { findKey, idOf, resourceByName } from './resources/find-resource.ts';

type Connected = ConnectionOptions & OutputOptions;

/** For answers that are no resource. */
const plainShape = { columns: [], nameOf: () => 'result' };

/** `evaluate` */
export const evaluateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command)).action(async (options: Connected) => {
    const { api } = await connect(options);
    const summary = await api.call('evaluateRules');
    await printItem(io, options.output, { ...summary }, plainShape);
    if (summary.remaining > 0)
      io.stderr(`${summary.remaining} configurations are still to be compared; the server goes on.\n`);
  });
};

/** `test-channel CHANNEL`: exit code 1 when the test did not arrive. */
export const testChannelCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .argument('<channel>', 'id or name of a notification channel')
    .action(async (reference: string, options: Connected) => {
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('notification-channels'), reference));
      const result = await api.call('testNotificationChannel', { path: { id }, timeoutMs: 90_000 });
      await printItem(io, options.output, { ...result }, plainShape);
      if (!result.success)
        throw new CliError(`The test did not arrive: ${result.error?.message ?? 'no reason is known'}`);
    });
};

interface SimulateOptions extends Connected {
  severity: Schemas['AlertSeverity'];
  event: Schemas['AlertEventType'];
  config?: string;
  label?: string[];
}

/** `simulate RULE`: exit code 1 when the rule does not match. */
export const simulateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command))
    .argument('<notification-rule>', 'id or name of a notification rule')
    .requiredOption('--severity <severity>', 'moderate, high or critical')
    .option('--event <type>', 'what happens to the alert', 'alert.created')
    .option('--config <id-or-name>', 'the alert configuration of the alert')
    .option('--label <key=value>', 'a label of the alert; may be repeated', collect)
    .action(async (reference: string, options: SimulateOptions) => {
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('notification-rules'), reference));
      const config = options.config && (await findKey(api, resourceByName('alert-configs'), options.config));
      const result = await api.call('simulateNotificationRule', {
        path: { id },
        body: {
          severity: options.severity,
          event_type: options.event,
          ...(config && { alert_config_id: Number(config) }),
          ...(options.label && { labels: readLabels(options.label) }),
        },
      });
      await printItem(io, options.output, { ...result }, plainShape);
      if (!result.matched) throw new CliError('The rule does not match.');
    });
};

function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key === '') throw usageError(`"${text}" is no label. It looks like team=payments.`);
      return [key, value];
    }),
  );
}

interface PreviewScrapeOptions extends Connected {
  parser: 'yq' | 'jq' | 'regex';
  expression: string;
  transform: Schemas['VersionTransform'];
}

interface PreviewTemplateOptions extends Connected {
  file?: string;
  preset?: Schemas['NotificationPreset'];
}

/** `preview scrape FILE` and `preview template CATEGORY` */
export const previewCommand: CliCommand = (command, { io, connect }) => {
  const scrape = command.command('scrape').description('Finds the version in a file as a scrape job would.');
  addOutputOption(addConnectionOptions(scrape))
    .argument('<file>', 'a file as it lies in the repository; - reads standard input')
    .requiredOption('--parser <type>', 'yq, jq or regex')
    .requiredOption('--expression <text>', 'where the version stands, such as .image.tag')
    .option('--transform <name>', 'a version transform', 'none')
    .action(async (file: string, options: PreviewScrapeOptions) => {
      const content = await readTextFile(io, file);
      const { api } = await connect(options);
      const { parser, expression, transform } = options;
      const result = await api.call('previewScrapeJob', {
        body: { parser_type: parser, parse_expression: expression, version_transform: transform, content },
      });
      await printItem(io, options.output, { ...result }, plainShape);
      if (!result.found) throw new CliError(`No version was found: ${result.error?.message ?? ''}`);
    });

  const template = command.command('template').description('Renders a notification with made-up data.');
  addOutputOption(addConnectionOptions(template))
    .argument('<category>', 'new_alert, acknowledged or resolved')
    .option('-f, --file <file>', 'a template to try; without it, the one that is in use')
    .option('--preset <name>', 'the message of a preset instead of a template')
    .action(async (category: Schemas['NotificationTemplateCategory'], options: PreviewTemplateOptions) => {
      const body = options.file === undefined ? undefined : await readTextFile(io, options.file);
      const { api } = await connect(options);
      const result = await api.call('previewNotificationTemplate', {
        body: {
          category,
          ...(body !== undefined && { body }),
          ...(options.preset && { preset: options.preset }),
        },
      });
      if (options.output !== 'table') await printItem(io, options.output, { ...result }, plainShape);
      else if (result.rendered !== null) io.stdout(`${visible(result.rendered)}\n`);
      const problems = result.errors.map(({ message, line }) =>
        line === null ? message : `line ${line}: ${message}`,
      );
      if (problems.length > 0) throw new CliError(problems.join('\n'));
    });
};

interface RetryOptions extends ConnectionOptions {
  all?: boolean;
  channel?: string;
}

/** `retry DELIVERY…` */
export const retryCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('[id...]', 'ids of notification deliveries that were given up or canceled')
    .option('--all', 'all that were given up, at most 1,000 at once')
    .option('--channel <id-or-name>', 'with --all: only those to this channel')
    .action(async (texts: string[], options: RetryOptions) => {
      const resource = resourceByName('deliveries');
      if (options.all ? texts.length > 0 : texts.length === 0) throw usageError('Give ids, or --all.');
      const { api } = await connect(options);
      if (options.all) {
        const channel =
          options.channel && (await findKey(api, resourceByName('notification-channels'), options.channel));
        const result = await api.call('retryNotificationDeliveries', {
          body: { ...(channel && { channel_id: Number(channel) }) },
        });
        io.stdout(`${result.retried} deliveries are sent again, ${result.remaining} remain\n`);
        return;
      }
      for (const text of texts) {
        const id = idOf(resource, text);
        if (id === null) throw usageError(`"${text}" is no id of a delivery.`);
        await api.call('retryNotificationDelivery', { path: { id: Number(id) } });
        io.stdout(`delivery ${id} is sent again\n`);
      }
    });
};
