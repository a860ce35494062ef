import { describeForecast } from '../domain/replay/forecast-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  labelOption,
  type OutputOptions,
  severityOption,
  wholeNumber,
} from './cli-command.ts';
import { usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface ForecastOptions extends ConnectionOptions, OutputOptions {
  days?: number;
  severity?: Schemas['AlertSeverity'];
  rule?: string;
  label?: string;
  calendar?: boolean;
}

/**
 * `forecast`: lists the thresholds that will be crossed next. With `--calendar`, prints the URL of a calendar that
 * contains these crossings.
 */
export const forecastCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .option('--days <n>', 'Days to look ahead, up to 365 (default: 30)', wholeNumber)
    .addOption(severityOption('--severity <severity>', 'Filter by the severity that will be reached'))
    .option('--rule <id-or-name>', 'Filter by monitoring rule')
    .addOption(labelOption('Filter by label of alert configurations'))
    .option('--calendar', 'Print the URL of a calendar to subscribe to')
    .action(async (options: ForecastOptions) => {
      const { days, severity, label } = options;
      if (options.calendar && options.rule !== undefined)
        throw usageError("--rule can't be combined with --calendar.");
      const { api } = await connect(options);
      const filters = {
        ...(days !== undefined && { days }),
        ...(severity !== undefined && { severity }),
        ...(label !== undefined && { label }),
      };
      if (options.calendar) {
        const calendar = await api.call('getForecastCalendar', { query: filters });
        if (options.output !== 'table') return printItem(io, options.output, { ...calendar }, plainShape);
        return io.stdout(`${calendar.url}\n`);
      }
      const rule = options.rule && (await findKey(api, resourceByName('rules'), options.rule));
      const query = { ...filters, ...(rule && { rule_id: Number(rule) }), limit: 200 };
      const result = await api.call('getForecast', { query, timeoutMs: 60_000 });
      if (options.output !== 'table') return printItem(io, options.output, { ...result }, plainShape);
      io.stdout(`${describeForecast(result, days ?? 30, noun)}\n`);
      if (result.items.length === 0) return;
      io.stdout('\n');
      await printItems(io, 'table', result.items.map(toItem), crossingsShape);
      const more = result.total - result.items.length;
      if (more > 0) io.stderr(`${counted(more, 'later crossing')} not shown\n`);
    });
};

const noun = { one: 'alert configuration', many: 'alert configurations' };

function toItem(item: Schemas['ForecastCrossing']) {
  return { ...item, name: item.alert_config.name, rule_name: item.rule.name };
}

const crossingsShape: ResultShape = {
  columns: [
    { title: 'AT', value: (item) => item['at'], kind: 'time' },
    { title: 'ALERT CONFIGURATION', value: (item) => item['name'] },
    { title: 'SEVERITY', value: (item) => item['severity'] },
    { title: 'NOW', value: (item) => item['current_severity'] ?? 'ok' },
    { title: 'DEPLOYED', value: (item) => item['deployed_version'] },
    { title: 'LATEST', value: (item) => item['latest_version'] },
    { title: 'RULE', value: (item) => item['rule_name'] },
  ],
  nameOf: () => '',
};

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };
