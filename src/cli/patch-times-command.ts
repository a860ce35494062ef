import { InvalidArgumentError } from 'commander';
import type { Schemas } from '../generated/client-api.ts';
import type { Item } from './call-operation.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { counted } from './output/counted.ts';
import { printItem, printItems, type ResultShape } from './output/print-result.ts';

interface PatchTimesOptions extends ConnectionOptions, OutputOptions {
  months: number;
}

/** `patch-times`: shows the median days from a fix to its deployment, by month and owner. */
export const patchTimesCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .option('--months <number>', 'Number of months, including the current one', toMonths, 6)
    .action(async ({ months, output, ...connection }: PatchTimesOptions) => {
      const { api } = await connect(connection);
      const found = await api.call('getPatchTimes', { query: { months } });
      const isForPeople = output === 'table' || output === 'wide' || output === 'csv';
      if (!isForPeople) return printItem(io, output, { ...found }, shapeOf(found.owner_label));
      const rows = [
        ...found.groups.flatMap(({ value, months: ofOwner }) =>
          ofOwner.map((month) => rowOf(value ?? '', month)),
        ),
        ...found.months.map((month) => rowOf('(all)', month)),
      ];
      await printItems(io, output, rows, shapeOf(found.owner_label));
      for (const line of notes(found)) io.stderr(`${line}\n`);
    });
};

function toMonths(text: string): number {
  const months = Number(text);
  if (!Number.isInteger(months) || months < 1 || months > 36)
    throw new InvalidArgumentError('Use a number from 1 to 36.');
  return months;
}

function rowOf(owner: string, month: Schemas['PatchTimesMonth']): Item {
  const { has_data, median_days, fixed_count, open_count } = month;
  return {
    owner,
    month: month.month,
    median_days: has_data ? median_days : 'no data',
    fixed: has_data ? fixed_count : null,
    open: has_data ? open_count : null,
  };
}

/** Describes what the figures don't include. */
function notes({ unknown_count, place_count, is_complete }: Schemas['PatchTimes']): string[] {
  return [
    ...(unknown_count > 0
      ? [
          `The vulnerabilities of ${unknown_count} of ${counted(place_count, 'deployed version')} aren't known.`,
        ]
      : []),
    ...(is_complete ? [] : ['There is too much data, so some of it is missing.']),
  ];
}

const shapeOf = (label: string): ResultShape => ({
  columns: [
    { title: label.toUpperCase(), value: (item) => item['owner'] },
    { title: 'MONTH', value: (item) => item['month'] },
    { title: 'MEDIAN DAYS', value: (item) => item['median_days'] },
    { title: 'FIXED', value: (item) => item['fixed'], kind: 'count' },
    { title: 'OPEN', value: (item) => item['open'], kind: 'count' },
  ],
  nameOf: () => '',
});
