import { Select, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { freshnessMetrics } from '../../../../src/domain/freshness/freshness-metrics.ts';
import { capitalized } from '../../../../src/domain/text/capitalized.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDay } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import {
  formatKnown,
  formatSumChange,
  formatTrend,
  formatValue,
  formatWithin,
  type Metric,
  metricOptions,
} from './format-freshness.ts';
import classes from './freshness-chart.module.css';
import { FreshnessChart } from './freshness-chart.tsx';
import { DeployedVersionsFreshness } from './freshness-things.tsx';
import { TargetsSection } from './targets-section.tsx';

type Freshness = Schemas['Freshness'];

export default function FreshnessPage() {
  const search = useSearch({ from: '/shell/freshness' });
  const navigate = useNavigate({ from: '/freshness' });
  const metric = isMetric(search.metric) ? search.metric : 'libyears';
  const freshness = useApi('getFreshness', { query: { metric } }, { keepPrevious: true, refetchMs: 30_000 });
  return (
    <>
      <PageHeader
        title="Freshness"
        about="How far your deployed software is behind upstream, over time."
        actions={
          <>
            <Select
              aria-label="Metric"
              data={metricOptions}
              value={metric}
              allowDeselect={false}
              onChange={(value) =>
                void navigate({ search: { ...search, metric: value ?? undefined } as typeof search })
              }
              w={180}
            />
            <ButtonLink to="/freshness/report" variant="default">
              Monthly report
            </ButtonLink>
          </>
        }
      />
      <Loaded query={freshness}>
        {(found) => (
          <>
            <Trend freshness={found} />
            <TargetsSection />
            {hasDeployments(found) && <Groups labelKeys={found.label_keys} metric={metric} />}
            <Definitions />
            {/* This list is last, because it can be thousands of rows long. */}
            {hasDeployments(found) && <DeployedVersionsFreshness />}
          </>
        )}
      </Loaded>
    </>
  );
}

function hasDeployments({ now }: Freshness): boolean {
  return now !== null && now.things > 0;
}

function isMetric(value: string | undefined): value is Metric {
  return value !== undefined && Object.hasOwn(freshnessMetrics, value);
}

/** Shows the current value of the metric, and its history as a chart. */
function Trend({ freshness }: { freshness: Freshness }) {
  const { metric, now, before, points, measured_at, known_from, is_complete } = freshness;
  if (now === null || now.things === 0) {
    return (
      <EmptyState title="No freshness data yet" action={<TextLink to="/software">View software</TextLink>}>
        Freshness appears within a few minutes after a monitor has a deployed version.
      </EmptyState>
    );
  }
  const notes = [
    formatWithin(now) === null ? null : `${formatWithin(now)} within target`,
    formatTrend(now, before),
  ];
  return (
    <Section
      title={freshnessMetrics[metric].label}
      actions={
        measured_at !== null && (
          <Text size="sm" c="dimmed">
            Measured <RelativeTime at={measured_at} />
          </Text>
        )
      }
    >
      <div className={classes.headline}>
        <span className={classes.number}>{formatKnown(now, now.sum, (sum) => formatValue(metric, sum))}</span>
        {notes.map((note) => note !== null && <span key={note}>{note}</span>)}
        <Text span c="dimmed" size="sm">
          {now.things.toLocaleString('en')} deployed, {now.unknown.toLocaleString('en')} unknown
          {now.estimated > 0 && `, ${now.estimated.toLocaleString('en')} estimated`}; median{' '}
          {formatKnown(now, now.median)}, 90th percentile {formatKnown(now, now.p90)}
        </Text>
      </div>
      <FreshnessChart points={points} metric={metric} from={freshness.from} to={freshness.to} />
      <Text size="sm" c="dimmed" mt="xs">
        {!is_complete && 'Computing past days… '}
        {known_from !== null &&
          known_from > freshness.from &&
          `Deployed versions have been known since ${formatDay(Date.parse(known_from))}. `}
        Past days use today's monitors, labels, and targets.
      </Text>
      <details>
        <summary>Values by month</summary>
        <MonthTable points={points} metric={metric} />
      </details>
    </Section>
  );
}

/** Shows the values of the chart as text, with the last day of each month. */
function MonthTable({ points, metric }: { points: Freshness['points']; metric: Metric }) {
  const months = new Map(points.map((point) => [point.date.slice(0, 7), point]));
  const columns: readonly Column<Freshness['points'][number]>[] = [
    { header: 'Day', cell: ({ date }) => formatDay(Date.parse(date)) },
    { header: freshnessMetrics[metric].label, cell: (point) => formatKnown(point, point.sum), align: 'end' },
    { header: 'Median', cell: (point) => formatKnown(point, point.median), align: 'end' },
    { header: 'Deployed', cell: ({ things }) => formatCount(things), align: 'end' },
    { header: 'Within target', cell: (point) => formatWithin(point) ?? '—', align: 'end' },
  ];
  return (
    <RowsTable
      items={[...months.values()].toReversed()}
      columns={columns}
      name="months"
      rowKey={({ date }) => date}
    />
  );
}

/** Compares the freshness of software by the values of a label. */
function Groups({ labelKeys, metric }: { labelKeys: readonly string[]; metric: Metric }) {
  const search = useSearch({ from: '/shell/freshness' });
  const navigate = useNavigate({ from: '/freshness' });
  const key = labelKeys.find((each) => each === search.group_by) ?? labelKeys[0];
  const grouped = useApi(
    'getFreshness',
    { query: { metric, ...(key !== undefined && { group_by: key }) } },
    { enabled: key !== undefined, keepPrevious: true },
  );
  if (key === undefined) return null;
  return (
    <Section
      title={`By ${key}`}
      actions={
        labelKeys.length > 1 && (
          <Select
            aria-label="Label"
            size="xs"
            data={[...labelKeys]}
            value={key}
            allowDeselect={false}
            onChange={(value) =>
              void navigate({ search: { ...search, group_by: value ?? undefined } as typeof search })
            }
          />
        )
      }
    >
      <Loaded query={grouped}>
        {({ groups }) => (
          <RowsTable
            items={groups}
            columns={groupColumns(key, metric)}
            name={`values of ${key}`}
            rowKey={({ value }) => value ?? ''}
          />
        )}
      </Loaded>
    </Section>
  );
}

const groupColumns = (key: string, metric: Metric): readonly Column<Schemas['FreshnessGroup']>[] => [
  {
    header: capitalized(key),
    cell: ({ value }) =>
      value ?? (
        <Text span c="dimmed" size="sm">
          Without this label
        </Text>
      ),
    width: 'minmax(0, 1.5fr)',
  },
  { header: 'Deployed', cell: ({ now }) => formatCount(now.things), align: 'end' },
  { header: freshnessMetrics[metric].label, cell: ({ now }) => formatKnown(now, now.sum), align: 'end' },
  { header: 'Median', cell: ({ now }) => formatKnown(now, now.median), align: 'end' },
  { header: 'Within target', cell: ({ now }) => formatWithin(now) ?? '—', align: 'end' },
  {
    header: 'Trend in 90 days',
    cell: ({ now, before }) => formatSumChange(now, before) ?? '—',
    width: '9rem',
    align: 'end',
  },
];

function Definitions() {
  return (
    <Section title="Definitions">
      <dl className={classes.definitions}>
        {Object.values(freshnessMetrics).map(({ label, definition }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{definition}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
