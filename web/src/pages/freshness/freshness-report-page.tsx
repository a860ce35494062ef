import { Button, Select, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  formatTargetLimit,
  freshnessMetricNames,
  freshnessMetrics,
} from '../../../../src/domain/freshness/freshness-metrics.ts';
import { dayBefore, monthName } from '../../../../src/domain/freshness/freshness-report.ts';
import { capitalized } from '../../../../src/domain/text/capitalized.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDay, formatDecimal } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import {
  formatChange,
  formatGoal,
  formatKnown,
  formatNumber,
  formatSumChange,
  formatWithin,
  formatWithinChange,
  type Metric,
} from './format-freshness.ts';
import { FreshnessChart } from './freshness-chart.tsx';

type Freshness = Schemas['Freshness'];
type Point = Schemas['FreshnessPoint'];

/**
 * Last day of the previous month, and last day of the reported month. If that month hasn't ended, `until` is
 * today.
 */
interface Days {
  readonly since: string;
  readonly until: string;
}

const monthCount = 12;
const furthestCount = 20;

/** Freshness report of one month, for printing. */
export default function FreshnessReportPage() {
  const { month: given } = useSearch({ from: '/shell/freshness/report' });
  const navigate = useNavigate({ from: '/freshness/report' });
  const today = new Date().toISOString().slice(0, 10);
  const months = lastMonths(today);
  const month = given !== undefined && /^20\d\d-(0[1-9]|1[0-2])$/.test(given) ? given : months[1]!;
  const days = daysOf(month, today);
  const year = useApi('getFreshness', { query: { since: yearBefore(days.until), until: days.until } });
  return (
    <>
      <PageHeader
        title={`Freshness in ${monthName(month)}`}
        about={`How far your deployed software was behind upstream on ${formatDay(Date.parse(days.until))}.`}
        parent={{ to: '/freshness', title: 'Freshness' }}
        actions={
          <>
            <Select
              aria-label="Month"
              data={[...new Set([month, ...months])].map((value) => ({ value, label: monthName(value) }))}
              value={month}
              allowDeselect={false}
              onChange={(value) =>
                void navigate({ search: { month: value ?? undefined } as { month?: string } })
              }
              w={180}
            />
            <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              Print
            </Button>
          </>
        }
      />
      <Loaded query={year}>
        {({ points, from, to, label_keys, known_from }) =>
          points.length === 0 ? (
            <EmptyState
              title="No data for this month"
              action={<TextLink to="/freshness">View freshness</TextLink>}
            >
              {known_from === null
                ? 'Reports begin when a monitor has a deployed version.'
                : `Deployed versions have been known since ${formatDay(Date.parse(known_from))}. Select a later month.`}
            </EmptyState>
          ) : (
            <>
              <Summary days={days} />
              <Section title="Libyears in the last 12 months">
                <FreshnessChart points={points} metric="libyears" from={from} to={to} />
              </Section>
              {label_keys.map((key) => (
                <ByLabel key={key} label={key} days={days} />
              ))}
              <Targets days={days} />
              <PatchTimes month={month} />
              {days.until === today && <FurthestBehind />}
              <Text size="sm" c="dimmed">
                {freshnessMetrics.libyears.definition} Past days use today's monitors, labels, and targets.
              </Text>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function lastMonths(today: string): string[] {
  const months = [today.slice(0, 7)];
  while (months.length < monthCount) months.push(dayBefore(`${months.at(-1)!}-01`).slice(0, 7));
  return months;
}

function daysOf(month: string, today: string): Days {
  const [year, place] = month.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year!, place!, 0)).toISOString().slice(0, 10);
  return { since: dayBefore(`${month}-01`), until: lastDay > today ? today : lastDay };
}

function yearBefore(day: string): string {
  return new Date(Date.parse(day) - 364 * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the points for the first and the last day. A point is null if its day has no data. */
function ends({ points }: Freshness, { since, until }: Days) {
  const on = (day: string) => points.find(({ date }) => date === day) ?? null;
  return { before: on(since), now: on(until) };
}

/** Row of the summary: a metric, or a number that the points of every metric contain. */
interface SummaryRow {
  readonly name: string;
  readonly metric: Metric;
  readonly value: (point: Point) => string | null;
  readonly change: (now: Point, before: Point | null) => string | null;
}

const summaryRows: readonly SummaryRow[] = [
  {
    name: 'Deployed versions',
    metric: 'libyears',
    value: ({ things }) => formatCount(things),
    change: (now, before) => formatChange(now.things, before?.things),
  },
  { name: 'Within target', metric: 'libyears', value: formatWithin, change: formatWithinChange },
  ...freshnessMetricNames.map((metric) => ({
    name: freshnessMetrics[metric].label,
    metric,
    value: (point: Point) => formatKnown(point, point.sum),
    change: formatSumChange,
  })),
];

function Summary({ days }: { days: Days }) {
  const columns: readonly Column<SummaryRow>[] = [
    { header: 'Metric', cell: ({ name }) => name, width: 'minmax(0, 1.5fr)' },
    {
      header: formatDay(Date.parse(days.until)),
      cell: (row) => <SummaryCell row={row} days={days} end="now" />,
      align: 'end',
    },
    {
      header: formatDay(Date.parse(days.since)),
      cell: (row) => <SummaryCell row={row} days={days} end="before" />,
      align: 'end',
    },
    {
      header: 'Change',
      cell: (row) => <SummaryCell row={row} days={days} end="change" />,
      width: '9rem',
      align: 'end',
    },
  ];
  return (
    <Section title="Summary">
      <RowsTable items={summaryRows} columns={columns} name="metrics" rowKey={({ name }) => name} />
    </Section>
  );
}

function SummaryCell({ row, days, end }: { row: SummaryRow; days: Days; end: 'now' | 'before' | 'change' }) {
  const ofDays = useEnds(days, { metric: row.metric });
  const { now, before } = ofDays;
  if (end === 'change') return (now && row.change(now, before)) ?? '—';
  const point = ofDays[end];
  return (point && row.value(point)) ?? '—';
}

function useEnds(days: Days, query: { metric?: Metric; target_id?: number }) {
  const { data } = useApi('getFreshness', { query: { ...query, ...days } });
  return data === undefined ? { now: null, before: null } : ends(data, days);
}

function ByLabel({ label, days }: { label: string; days: Days }) {
  const grouped = useApi('getFreshness', { query: { group_by: label, ...days } });
  const columns: readonly Column<Schemas['FreshnessGroup']>[] = [
    {
      header: capitalized(label),
      cell: ({ value }) => value ?? 'Without this label',
      width: 'minmax(0, 1.5fr)',
    },
    { header: 'Deployed', cell: ({ now }) => formatCount(now.things), align: 'end' },
    { header: 'Within target', cell: ({ now }) => formatWithin(now) ?? '—', align: 'end' },
    { header: 'Libyears', cell: ({ now }) => formatKnown(now, now.sum), align: 'end' },
    {
      header: 'Change',
      cell: ({ now, before }) => formatSumChange(now, before) ?? '—',
      width: '9rem',
      align: 'end',
    },
  ];
  return (
    <Section title={`Libyears by ${label}`}>
      <Loaded query={grouped}>
        {({ groups }) => (
          <RowsTable
            items={groups}
            columns={columns}
            name={`values of ${label}`}
            rowKey={({ value }) => value ?? ''}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Targets({ days }: { days: Days }) {
  const targets = useApi('listFreshnessTargets', { query: { is_active: true, limit: 200, sort: 'name' } });
  if (targets.data?.items.length === 0) return null;
  const columns: readonly Column<Schemas['FreshnessTarget']>[] = [
    { header: 'Target', cell: ({ name }) => name, width: 'minmax(0, 1.5fr)' },
    { header: 'Limit', cell: formatTargetLimit, align: 'end' },
    { header: 'Goal', cell: ({ goal_percent }) => `${goal_percent}%`, align: 'end' },
    {
      header: 'Within',
      cell: ({ id }) => <TargetShare id={id} days={days} end="now" />,
      align: 'end',
    },
    {
      header: 'Previous month',
      cell: ({ id }) => <TargetShare id={id} days={days} end="before" />,
      align: 'end',
    },
    {
      header: 'Result',
      cell: (target) => <TargetResult target={target} days={days} />,
      width: '7rem',
      align: 'end',
    },
  ];
  return (
    <Section title="Targets">
      <Loaded query={targets}>
        {({ items }) => <RowsTable items={items} columns={columns} name="targets" rowKey={({ id }) => id} />}
      </Loaded>
    </Section>
  );
}

function TargetShare({ id, days, end }: { id: number; days: Days; end: 'now' | 'before' }) {
  const point = useEnds(days, { target_id: id })[end];
  return (point && formatWithin(point)) ?? '—';
}

function TargetResult({ target, days }: { target: Schemas['FreshnessTarget']; days: Days }) {
  const { now } = useEnds(days, { target_id: target.id });
  const result = now && formatGoal(now, target.goal_percent);
  if (result === null) return '—';
  return <Mark tone={result === 'Met' ? 'ok' : 'high'}>{result}</Mark>;
}

const shownMonths = 12;

/** Shows medians with the number of cases, because a median of few cases says little. */
function PatchTimes({ month }: { month: string }) {
  const times = useApi('getPatchTimes', { query: { months: shownMonths } });
  return (
    <Section title="Days from fix to deployment">
      <Loaded query={times}>
        {({ months, groups, owner_label, place_count, unknown_count, is_complete }) => {
          const onMonth = (of: readonly PatchMonth[]) => of.find((each) => each.month === month) ?? null;
          const all = onMonth(months);
          if (all === null) return <Text size="sm">{`Available for the last ${shownMonths} months.`}</Text>;
          if (!all.has_data)
            return (
              <Text size="sm">The vulnerabilities of the versions deployed in this month aren't known.</Text>
            );
          return (
            <>
              <RowsTable
                items={[
                  { name: 'All', found: all },
                  ...groups.map(({ value, months: ofOwner }) => ({
                    name: value ?? 'Without this label',
                    found: onMonth(ofOwner),
                  })),
                ]}
                columns={patchColumns(capitalized(owner_label))}
                name="owners"
                rowKey={({ name }) => name}
              />
              <Text size="sm" c="dimmed">
                {`Counted from when a vulnerability was published, a release with the fix existed, and an affected version was deployed. The vulnerabilities of ${formatCount(unknown_count)} of ${formatCount(place_count)} deployed versions aren't known.`}
                {!is_complete && ' There is too much data, so some of it is missing.'}
              </Text>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

type PatchMonth = Schemas['PatchTimesMonth'];

interface PatchTimesRow {
  name: string;
  found: PatchMonth | null;
}

/** @param owner Name of the label that contains the owner */
function patchColumns(owner: string): readonly Column<PatchTimesRow>[] {
  const known = ({ found }: PatchTimesRow) => (found?.has_data === true ? found : null);
  const countColumn = (header: string, member: 'fixed_count' | 'open_count'): Column<PatchTimesRow> => ({
    header,
    cell(row) {
      const month = known(row);
      return month === null ? '—' : formatCount(month[member]);
    },
    align: 'end',
  });
  return [
    { header: owner, cell: ({ name }) => name, width: 'minmax(0, 1.5fr)' },
    {
      header: 'Median days',
      cell(row) {
        const month = known(row);
        return month === null ? 'No data' : formatMedian(month.median_days);
      },
      align: 'end',
    },
    countColumn('Fixed vulnerabilities', 'fixed_count'),
    countColumn('Open at the end', 'open_count'),
  ];
}

function formatMedian(days: number | null): string {
  return days === null ? 'None fixed' : formatDecimal(days);
}

const furthestColumns: readonly Column<Schemas['FreshnessThing']>[] = [
  { header: 'Monitor', cell: ({ alert_config }) => alert_config.name, width: 'minmax(0, 2fr)' },
  { header: 'Deployed', cell: ({ deployed_version }) => deployed_version },
  { header: 'Latest', cell: ({ latest_version }) => latest_version ?? '—' },
  { header: 'Libyears', cell: ({ libyears }) => formatNumber(libyears), align: 'end' },
  { header: 'Exposure days', cell: ({ exposure_days }) => formatNumber(exposure_days), align: 'end' },
];

/** Shown only for the current month, because the lag of each monitor isn't stored by day. */
function FurthestBehind() {
  const things = useApi('listFreshnessThings', { query: { sort: '-libyears', limit: furthestCount } });
  return (
    <Section title="Furthest behind today">
      <Loaded query={things}>
        {({ items }) => (
          <RowsTable
            items={items.filter(({ libyears }) => libyears !== null && libyears > 0)}
            columns={furthestColumns}
            name="monitors"
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  );
}
