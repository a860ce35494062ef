import { Argument, Option } from 'commander';
import { fileParserTypes } from '../domain/parsers/version-parser.ts';
import { categoryEvents } from '../domain/routing/notification-event.ts';
import { presetIds } from '../domain/templates/presets.ts';
import { escapeControls } from '../domain/text/visible-controls.ts';
import { versionTransforms } from '../domain/transforms/version-transform.ts';
import type { Schemas } from '../generated/client-api.ts';
import type { Item } from './call-operation.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import { CliError, usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { printItem } from './output/print-result.ts';
import { responseExtract } from './output/response-extract.ts';
import { readTextFile } from './read-text-file.ts';
import { findKey, idOf, resourceByName } from './resources/find-resource.ts';

type Connected = ConnectionOptions & OutputOptions;

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };

/** `evaluate`: evaluates the monitoring rules. */
export const evaluateCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false }).action(async (options: Connected) => {
    const { api } = await connect(options);
    const summary = await api.call('evaluateRules');
    await printItem(io, options.output, { ...summary }, plainShape);
    if (summary.remaining > 0)
      io.stderr(
        `${counted(summary.remaining, 'alert configuration')} remaining; the server continues in the background.\n`,
      );
  });
};

/** `test-channel CHANNEL`: sends a test message. The exit code is 1 if the message isn't delivered. */
export const testChannelCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument('<channel>', 'Channel ID or name')
    .action(async (reference: string, options: Connected) => {
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('notification-channels'), reference));
      const result = await api.call('testNotificationChannel', { path: { id }, timeoutMs: 90_000 });
      const shown = options.output === 'table' ? withExtracts(result) : { ...result };
      await printItem(io, options.output, shown, plainShape);
      if (!result.success) throw new CliError(`Test failed: ${result.error?.message ?? 'unknown reason'}`);
    });
};

/** Shortens the request and response bodies, which can be long. */
function withExtracts(result: Schemas['NotificationChannelTestResult']): Item {
  const { request_body: sent, response_body: received } = result;
  return {
    ...result,
    response_body: received && responseExtract(received),
    request_body: sent && responseExtract(sent),
  };
}

interface PreviewScrapeOptions extends Connected {
  parser: Schemas['FileParserType'];
  expression: string;
  transform: Schemas['VersionTransform'];
}

interface PreviewTemplateOptions extends Connected {
  file?: string;
  preset?: Schemas['NotificationPreset'];
}

/**
 * `preview scrape FILE` and `preview template CATEGORY`: preview the result of a scrape job or a message
 * template.
 */
export const previewCommand: CliCommand = (command, { io, connect }) => {
  const scrape = command
    .command('scrape')
    .description('Extract a version from a file, as a scrape job would.');
  addOutputOption(addConnectionOptions(scrape), { hasNames: false })
    .argument('<file>', 'File to parse; - reads standard input')
    .addOption(new Option('--parser <type>', 'Parser').choices(fileParserTypes).makeOptionMandatory())
    .requiredOption('--expression <text>', 'Expression, such as .image.tag')
    .addOption(
      new Option('--transform <name>', 'Version transform').choices(versionTransforms).default('none'),
    )
    .action(async (file: string, options: PreviewScrapeOptions) => {
      const content = await readTextFile(io, file);
      const { api } = await connect(options);
      const { parser, expression, transform } = options;
      const result = await api.call('previewScrapeJob', {
        body: { parser_type: parser, parse_expression: expression, version_transform: transform, content },
      });
      await printItem(io, options.output, { ...result }, plainShape);
      if (!result.found) throw new CliError(`No version found: ${result.error?.message ?? ''}`);
    });

  const template = command.command('template').description('Render a notification with sample data.');
  addOutputOption(addConnectionOptions(template), { hasNames: false })
    .addArgument(new Argument('<category>', 'Category').choices(Object.keys(categoryEvents)))
    .option('-f, --file <file>', 'Template file (default: the current template)')
    .addOption(new Option('--preset <name>', 'Preview a preset instead of a template').choices(presetIds))
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
      else if (result.rendered !== null) io.stdout(`${escapeControls(result.rendered)}\n`);
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

/** `retry DELIVERY…`: queues dead-letter or canceled deliveries for retry. */
export const retryCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('[id...]', 'IDs of dead-letter or canceled deliveries')
    .option('--all', 'Retry all dead letters (up to 1,000)')
    .option('--channel <id-or-name>', 'With --all: only this channel')
    .action(async (texts: string[], options: RetryOptions) => {
      const resource = resourceByName('deliveries');
      if (options.all ? texts.length > 0 : texts.length === 0)
        throw usageError('Specify delivery IDs or --all.');
      const { api } = await connect(options);
      if (options.all) {
        const channel =
          options.channel && (await findKey(api, resourceByName('notification-channels'), options.channel));
        const result = await api.call('retryNotificationDeliveries', {
          body: { ...(channel && { channel_id: Number(channel) }) },
        });
        io.stdout(`${counted(result.retried, 'delivery')} queued for retry, ${result.remaining} remaining\n`);
        return;
      }
      for (const text of texts) {
        const id = idOf(resource, text);
        if (id === null) throw usageError(`Invalid delivery ID "${text}".`);
        const { waiting_for } = await api.call('retryNotificationDelivery', { path: { id: Number(id) } });
        const wait = waiting_for === 'channel' ? ', waiting for its channel to be enabled' : '';
        io.stdout(`Delivery ${id} queued for retry${wait}\n`);
      }
    });
};
