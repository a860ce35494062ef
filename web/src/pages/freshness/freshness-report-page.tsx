import { Button, Select, Table, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  formatTargetLimit,
  freshnessMetricNames,
  freshnessMetrics,
} from '../../../../src/domain/freshness/freshness-metrics.ts';
import { dayBefore, monthName } from '../../../../src/domain/freshness/freshness-report.ts';
import { percentWithin } from '../../../../src/domain/freshness/freshness-target.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDay } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { formatChange, formatNumber, formatWithin, type Metric } from './format-freshness.ts';
import classes from './freshness-chart.module.css';
import { FreshnessChart } from './freshness-chart.tsx';

type Freshness = Schemas['Freshness'];

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
        about={`How far behind upstream everything you had deployed was on ${formatDay(Date.parse(days.until))}.`}
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

function Summary({ days }: { days: Days }) {
  const { until, since } = days;
  return (
    <Section title="Summary">
      <section className={classes.scroll} aria-label="Summary" tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th aria-label="Metric" />
              <Table.Th ta="end">{formatDay(Date.parse(until))}</Table.Th>
              <Table.Th ta="end">{formatDay(Date.parse(since))}</Table.Th>
              <Table.Th ta="end">Change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <CountRows days={days} />
            {freshnessMetricNames.map((metric) => (
              <MetricRow key={metric} metric={metric} days={days} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Section>
  );
}

function useEnds(days: Days, query: { metric?: Metric; target_id?: number }) {
  const { data } = useApi('getFreshness', { query: { ...query, ...days } });
  return data === undefined ? { now: null, before: null } : ends(data, days);
}

function CountRows({ days }: { days: Days }) {
  const { now, before } = useEnds(days, { metric: 'libyears' });
  return (
    <>
      <Row
        name="Deployed versions"
        values={[now && formatCount(now.things), before && formatCount(before.things)]}
        change={now && formatChange(now.things, before?.things)}
      />
      <Row name="Within target" values={[now && formatWithin(now), before && formatWithin(before)]} />
    </>
  );
}

function MetricRow({ metric, days }: { metric: Metric; days: Days }) {
  const { now, before } = useEnds(days, { metric });
  return (
    <Row
      name={freshnessMetrics[metric].label}
      values={[now && formatNumber(now.sum), before && formatNumber(before.sum)]}
      change={now && formatChange(now.sum, before?.sum)}
    />
  );
}

function Row({
  name,
  values,
  change = null,
}: {
  name: React.ReactNode;
  values: readonly (string | null)[];
  change?: string | null;
}) {
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table.
        <Table.Td key={place} ta="end">
          {value ?? '—'}
        </Table.Td>
      ))}
      <Table.Td ta="end">{change ?? '—'}</Table.Td>
    </Table.Tr>
  );
}

function ByLabel({ label, days }: { label: string; days: Days }) {
  const grouped = useApi('getFreshness', { query: { group_by: label, ...days } });
  const title = `Libyears by ${label}`;
  return (
    <Section title={title}>
      <Loaded query={grouped}>
        {({ groups }) => (
          <section className={classes.scroll} aria-label={title} tabIndex={0}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{label.slice(0, 1).toUpperCase() + label.slice(1)}</Table.Th>
                  <Table.Th ta="end">Deployed</Table.Th>
                  <Table.Th ta="end">Within target</Table.Th>
                  <Table.Th ta="end">Libyears</Table.Th>
                  <Table.Th ta="end">Change</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {groups.map(({ value, now, before }) => (
                  <Row
                    key={value ?? ''}
                    name={value ?? 'Without this label'}
                    values={[formatCount(now.things), formatWithin(now), formatNumber(now.sum)]}
                    change={formatChange(now.sum, before?.sum)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </section>
        )}
      </Loaded>
    </Section>
  );
}

function Targets({ days }: { days: Days }) {
  const targets = useApi('listFreshnessTargets', { query: { is_active: true, limit: 200, sort: 'name' } });
  if (targets.data?.items.length === 0) return null;
  return (
    <Section title="Targets">
      <Loaded query={targets}>
        {({ items }) => (
          <section className={classes.scroll} aria-label="Targets" tabIndex={0}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Target</Table.Th>
                  <Table.Th ta="end">Limit</Table.Th>
                  <Table.Th ta="end">Goal</Table.Th>
                  <Table.Th ta="end">Within</Table.Th>
                  <Table.Th ta="end">Previous month</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((target) => (
                  <TargetRow key={target.id} target={target} days={days} />
                ))}
              </Table.Tbody>
            </Table>
          </section>
        )}
      </Loaded>
    </Section>
  );
}

function TargetRow({ target, days }: { target: Schemas['FreshnessTarget']; days: Days }) {
  const { now, before } = useEnds(days, { target_id: target.id });
  const share = (point: Schemas['FreshnessPoint'] | null) => {
    const percent = point && percentWithin(point.within_target, point.targeted);
    return percent === null ? null : `${percent}%`;
  };
  return (
    <Row
      name={target.name}
      values={[formatTargetLimit(target), `${target.goal_percent}%`, share(now)]}
      change={share(before)}
    />
  );
}

const shownMonths = 12;

/** Shows medians with the number of cases, because a median of few cases says little. */
function PatchTimes({ month }: { month: string }) {
  const times = useApi('getPatchTimes', { query: { months: shownMonths } });
  const title = 'Days from fix to deployment';
  return (
    <Section title={title}>
      <Loaded query={times}>
        {({ months, groups, owner_label, place_count, unknown_count, is_complete }) => {
          const onMonth = (of: readonly PatchMonth[]) => of.find((each) => each.month === month) ?? null;
          const all = onMonth(months);
          if (all === null) return <Text size="sm">{`Available for the last ${shownMonths} months.`}</Text>;
          if (!all.has_data) return <Text size="sm">No deployed version is known for this month.</Text>;
          return (
            <>
              <section className={classes.scroll} aria-label={title} tabIndex={0}>
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{owner_label.slice(0, 1).toUpperCase() + owner_label.slice(1)}</Table.Th>
                      <Table.Th ta="end">Median days</Table.Th>
                      <Table.Th ta="end">Fixed vulnerabilities</Table.Th>
                      <Table.Th ta="end">Open at the end</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    <PatchTimesRow name="All" found={all} />
                    {groups.map(({ value, months: ofOwner }) => (
                      <PatchTimesRow
                        key={value ?? ''}
                        name={value ?? 'Without this label'}
                        found={onMonth(ofOwner)}
                      />
                    ))}
                  </Table.Tbody>
                </Table>
              </section>
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

function PatchTimesRow({ name, found }: { name: string; found: PatchMonth | null }) {
  const hasData = found?.has_data === true;
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td ta="end">{hasData ? formatMedian(found.median_days) : 'No data'}</Table.Td>
      <Table.Td ta="end">{hasData ? formatCount(found.fixed_count) : '—'}</Table.Td>
      <Table.Td ta="end">{hasData ? formatCount(found.open_count) : '—'}</Table.Td>
    </Table.Tr>
  );
}

function formatMedian(days: number | null): string {
  return days === null ? 'None fixed' : days.toLocaleString('en-US');
}

/** Shown only for the current month, because the lag of each monitor isn't stored by day. */
function FurthestBehind() {
  const things = useApi('listFreshnessThings', { query: { sort: '-libyears', limit: furthestCount } });
  return (
    <Section title="Furthest behind today">
      <Loaded query={things}>
        {({ items }) => (
          <section className={classes.scroll} aria-label="Furthest behind today" tabIndex={0}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Monitor</Table.Th>
                  <Table.Th>Deployed</Table.Th>
                  <Table.Th>Latest</Table.Th>
                  <Table.Th ta="end">Libyears</Table.Th>
                  <Table.Th ta="end">Exposure days</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items
                  .filter(({ libyears }) => libyears !== null && libyears > 0)
                  .map((thing) => (
                    <Table.Tr key={thing.id}>
                      <Table.Td>{thing.alert_config.name}</Table.Td>
                      <Table.Td>{thing.deployed_version}</Table.Td>
                      <Table.Td>{thing.latest_version ?? '—'}</Table.Td>
                      <Table.Td ta="end">{formatNumber(thing.libyears)}</Table.Td>
                      <Table.Td ta="end">{formatNumber(thing.exposure_days)}</Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </section>
        )}
      </Loaded>
    </Section>
  );
}
