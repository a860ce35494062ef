import { Alert, Select, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { describeUnknownSupport } from '../../../../src/domain/explanations/support-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { type Column, ListFilters, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SubscribeButton } from '../../components/subscribe-button.tsx';
import { describeSupport } from '../../components/support/describe-support.ts';
import { SupportEndTime } from '../../components/support/support-end-time.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDay } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { groupByLine, type SupportedLine } from './group-by-line.ts';

type SupportEnd = Schemas['SupportEnd'];

const columns: readonly Column<SupportEnd>[] = [
  { header: 'Version tracker', cell: ({ scrape_job }) => scrape_job.name, width: 'minmax(0, 2fr)' },
  { header: 'Deployed', cell: ({ deployed_version }) => <VersionText version={deployed_version} /> },
];

const periods = [
  { value: '0', label: 'Ended' },
  ...['30', '90', '180', '365', '730'].map((days) => ({ value: days, label: `Next ${days} days` })),
];
const shown = 200;

/** Shows the dates on which support for deployed versions ends, regardless of rules. */
export default function SupportPage() {
  const filters = useSupportFilters();
  const { days, label } = filters.search;
  const query = { ...(days && { days: Number(days) }), ...(label && { label }), limit: shown };
  const support = useApi('getSupport', { query }, { keepPrevious: true });
  return (
    <>
      <PageHeader
        title="Support"
        about="When support ends for deployed versions, according to endoflife.date."
        actions={<SubscribeButton calendar="getSupportCalendar" filters={filters.search} />}
      />
      <ListFilters list={filters} filters={[]}>
        <Select
          aria-label="Period"
          placeholder="Any time"
          data={periods}
          value={days ?? null}
          onChange={(value) => filters.setSearch({ days: value ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear period' }}
          w={170}
        />
        <LabelFilter list={filters} />
      </ListFilters>
      <Loaded query={support}>
        {({ items, total, unknown }) => (
          <>
            {unknown.length > 0 && (
              <Alert color="gray" mb="md" role="note">
                {describeUnknownSupport(unknown, 'ui').map((sentence) => (
                  <Text key={sentence} size="sm">
                    {sentence}
                  </Text>
                ))}
                <TextLink to="/gather-jobs" size="sm">
                  Choose lifecycles of upstream sources
                </TextLink>
              </Alert>
            )}
            {items.length === 0 ? (
              <EmptyState title="No end-of-support dates">
                {filters.isFiltered
                  ? 'No results match your filters.'
                  : "Monitors whose upstream source has a lifecycle appear here. The server doesn't fetch lifecycles if PACEKEEPER_REFERENCE_DATA is off."}
              </EmptyState>
            ) : (
              groupByLine(items).map((line) => <LineSection key={line.key} line={line} />)
            )}
            {total > items.length && (
              <Text size="sm" c="var(--text-muted)" mt="xs">
                Showing the first {formatCount(items.length)} of {formatCount(total)}.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Describes the newest supported line, such as "Newest supported: 18 until Nov 14, 2030". */
function describeNewest({ newest }: SupportEnd): string {
  const until = newest?.ends_on ? ` until ${formatDay(new Date(`${newest.ends_on}T00:00:00Z`))}` : '';
  return `Newest supported: ${newest?.line ?? 'none'}${until}`;
}

/** Deployed versions of one release line. Its end is in the head of the section, colored by its urgency. */
function LineSection({ line: { name, tone, ends } }: { line: SupportedLine }) {
  const [first] = ends;
  return (
    <Section
      title={name}
      actions={
        <Text component="div" size="sm">
          <Mark tone={tone} title="Days are counted in UTC, including today and the last day of support.">
            <span>
              {describeSupport(first)}
              {first.is_paid && ' (paid)'}
              {first.ends_at !== null && (
                <>
                  , <SupportEndTime at={first.ends_at} />
                </>
              )}
            </span>
          </Mark>
        </Text>
      }
    >
      <Text size="sm" c="var(--text-muted)" mb="xs">
        {describeNewest(first)}
      </Text>
      <RowsTable
        items={ends}
        columns={columns}
        name={`versions of ${name}`}
        rowKey={({ scrape_job, gather_job }) => `${scrape_job.id} ${gather_job.id}`}
        rowLink={({ alert_config_ids }) => resourceLink('alert_config', alert_config_ids[0]!)}
      />
    </Section>
  );
}

/** Returns the filters, whose values are stored in the URL. */
function useSupportFilters() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ from: '/shell/support' });
  const navigate = useNavigate();
  const filters = ['days', 'label'];
  return {
    search,
    filters,
    isFiltered: filters.some((name) => search[name] !== undefined),
    setSearch(changes: Readonly<Record<string, string | undefined>>) {
      const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
      void navigate({ to: '.', search: next, replace: true, resetScroll: false });
    },
  };
}
