import type { ApiClient } from '../client/api-client.ts';
import { stateSentences } from '../domain/explanations/state-sentences.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { escapeControls } from '../domain/text/visible-controls.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { serverTimeOf } from './durations.ts';
import { formatTime } from './output/format-time.ts';
import { printItem } from './output/print-result.ts';
import { findKey, idNumberOf, resourceByName } from './resources/find-resource.ts';

interface ExplainOptions extends ConnectionOptions, OutputOptions {}

/**
 * `explain CONFIG|alerts/ID`: explains the state of an alert configuration with the same sentences as its
 * page.
 */
export const explainCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument(
      '<alert-config>',
      'Alert configuration ID or name, an alert such as alerts/7, or the URL of the page of either',
    )
    .action(async (reference: string, { output, ...options }: ExplainOptions) => {
      const { api } = await connect(options);
      const id = await findConfig(api, io, reference);
      const { headers, body } = await api.send('getAlertConfigExplanation', { path: { id } });
      if (output !== 'table') return printItem(io, output, { ...body }, plainShape);
      const config = await api.call('getAlertConfig', { path: { id } });
      const nowMs = serverTimeOf(headers, 'Use -o json instead.');
      const severity = config.severity === null ? '' : ` (${config.severity})`;
      io.stdout(`${cleanLine(config.name)}: ${config.state}${severity}\n\n`);
      for (const sentence of stateSentences(config, body, nowMs))
        io.stdout(`${escapeControls(sentence, '')}\n`);
      if (body.explanation !== null)
        io.stdout(`\nLast evaluated: ${String(formatTime(body.evaluated_at))}\n`);
    });
};

/** Matches the page URL of an alert or alert configuration. The server URL can contain a path. */
const page = /^https?:\/\/[^?#]*\/((?:alerts|alert-configs)\/\d+)\/?(?:[?#]|$)/i;

async function findConfig(api: ApiClient, io: CliIo, given: string): Promise<number> {
  const reference = page.exec(given)?.[1] ?? given;
  const alert = /^alerts?\//.test(reference) ? idNumberOf(resourceByName('alerts'), reference) : null;
  if (alert === null) return Number(await findKey(api, resourceByName('alert-configs'), reference));
  const { alert_config_id, status } = await api.call('getAlert', { path: { id: alert } });
  if (status === 'resolved')
    io.stderr(
      `Alert ${alert} is resolved. The explanation is about the current state of its alert configuration.\n`,
    );
  return alert_config_id;
}

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };
