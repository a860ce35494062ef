import { Button, Select, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { describeForecast } from '../../../../src/domain/replay/forecast-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { type Column, ListFilters, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark, severityOptions } from '../../components/severity.tsx';
import { SubscribeButton } from '../../components/subscribe-button.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Crossing = Schemas['ForecastCrossing'];

const columns: readonly Column<Crossing>[] = [
  { header: 'Monitor', cell: ({ alert_config }) => alert_config.name, width: 'minmax(0, 3fr)' },
  {
    header: 'Severity',
    cell: ({ current_severity: now, severity, at }) => (
      <>
        {now === null ? <Mark tone="ok">OK</Mark> : <SeverityMark severity={now} />} →{' '}
        <SeverityMark severity={severity} /> <RelativeTime at={at} />
      </>
    ),
    width: '17rem',
  },
  { header: 'Deployed', cell: ({ deployed_version }) => <VersionText version={deployed_version} /> },
  { header: 'Latest', cell: ({ latest_version }) => <VersionText version={latest_version} none="unknown" /> },
  { header: 'Rule', cell: ({ rule }) => rule.name, secondary: true },
];

const longestDays = 365;
const periods = [7, 30, 90, 180, longestDays].map((days) => ({
  value: String(days),
  label: `Next ${days} days`,
}));
const shown = 200;

export default function ForecastPage() {
  const filters = useForecastFilters();
  const { search } = filters;
  const days = Number(search.days ?? 30);
  // Pass the values from the URL unchecked, because the server validates them.
  const query = { ...(search as Record<string, never>), days, limit: shown };
  const forecast = useApi('getForecast', { query }, { keepPrevious: true });
  const rules = useApi('listRulesDropdown');
  const describe = (found: Schemas['Forecast']) =>
    describeForecast(found, days, { one: 'monitor', many: 'monitors' });
  return (
    <>
      <PageHeader
        title="Forecast"
        about="Monitors that cross a threshold if nothing is upgraded, calculated from known releases."
        actions={<SubscribeButton calendar="getForecastCalendar" filters={search} />}
      />
      <ListFilters
        list={filters}
        filters={[
          { name: 'severity', label: 'Severity', options: severityOptions },
          {
            name: 'rule_id',
            label: 'Rule',
            options: (rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
        ]}
      >
        <Select
          aria-label="Period"
          data={periods}
          value={String(days)}
          onChange={(value) => filters.setSearch({ days: value ?? undefined })}
          allowDeselect={false}
          w={150}
        />
        <LabelFilter list={filters} />
      </ListFilters>
      <Loaded query={forecast}>
        {(found) => (
          <>
            {found.items.length === 0 && (
              <EmptyState
                title="No crossings"
                action={
                  days < longestDays ? (
                    <Button
                      variant="default"
                      onClick={() => filters.setSearch({ days: String(longestDays) })}
                    >{`Show next ${longestDays} days`}</Button>
                  ) : (
                    <TextLink to="/software">View software</TextLink>
                  )
                }
              >
                {describe(found)}
                {filters.isFiltered && ' Only results that match your filters are included.'}
              </EmptyState>
            )}
            {found.items.length > 0 && (
              <>
                <Text mb="sm" role="status">
                  {describe(found)}
                </Text>
                <RowsTable
                  items={found.items}
                  columns={columns}
                  name="Crossings"
                  rowKey={({ alert_config, severity }) => `${alert_config.id} ${severity}`}
                  rowLink={({ alert_config }) => resourceLink('alert_config', alert_config.id)}
                />
              </>
            )}
            {found.total > found.items.length && (
              <Text size="sm" c="var(--text-muted)" mt="xs">
                The first {formatCount(found.items.length)} of {formatCount(found.total)} are shown.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Returns the filters, whose values are stored in the URL. */
function useForecastFilters() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ from: '/shell/forecast' });
  const navigate = useNavigate();
  const filters = ['severity', 'rule_id', 'label'];
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
