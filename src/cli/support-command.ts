import { describeUnknownSupport } from '../domain/explanations/support-text.ts';
import type { Schemas } from '../generated/client-api.ts';
import {
  addConnectionOptions,
  addOutputOption,
  type CliCommand,
  labelOption,
  type OutputOptions,
  wholeNumber,
} from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';

interface SupportOptions extends ConnectionOptions, OutputOptions {
  days?: number;
  label?: string;
  calendar?: boolean;
}

/**
 * `support`: lists the dates when support ends for the deployed versions. With `--calendar`, prints the URL
 * of a calendar with these dates.
 */
export const supportCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .option('--days <n>', 'Only support that ends within this many days, or has ended', wholeNumber)
    .addOption(labelOption('Filter by label of alert configurations'))
    .option('--calendar', 'Print the URL of a calendar to subscribe to')
    .action(async ({ days, label, calendar, output, ...options }: SupportOptions) => {
      const { api } = await connect(options);
      const query = { ...(days !== undefined && { days }), ...(label !== undefined && { label }) };
      if (calendar) {
        const found = await api.call('getSupportCalendar', { query });
        if (output !== 'table') return printItem(io, output, { ...found }, plainShape);
        return io.stdout(`${found.url}\n`);
      }
      const result = await api.call('getSupport', { query: { ...query, limit: 200 } });
      if (output !== 'table') return printItem(io, output, { ...result }, plainShape);
      await printItems(io, 'table', result.items.map(toItem), endsShape);
      for (const sentence of describeUnknownSupport(result.unknown, 'api')) io.stderr(`${sentence}\n`);
      const more = result.total - result.items.length;
      if (more > 0) io.stderr(`${counted(more, 'more result')} not shown\n`);
    });
};

function toItem(end: Schemas['SupportEnd']) {
  return {
    ...end,
    name: end.scrape_job.name,
    release_line: `${end.label} ${end.line}`,
    end: end.ends_on ?? (end.has_ended ? 'ended' : 'unknown'),
    newest_line: end.newest?.line ?? 'none',
  };
}

const endsShape: ResultShape = {
  columns: [
    { title: 'SCRAPE JOB', value: (item) => item['name'] },
    { title: 'DEPLOYED', value: (item) => item['deployed_version'] },
    { title: 'RELEASE LINE', value: (item) => item['release_line'] },
    { title: 'SUPPORT ENDS', value: (item) => item['end'] },
    { title: 'NEWEST LINE', value: (item) => item['newest_line'] },
  ],
  nameOf: () => '',
};

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };
