import { Group, Select, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { describeIncompleteComparison } from '../../../../src/domain/environments/incomplete-comparison.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { type List, RowsTable, ShowMoreButton } from '../../components/list/index.ts';
import { countOf } from '../../ui/format.ts';
import { TwoLines } from '../../ui/two-lines.tsx';
import { describeDelay, describePrecision, formatLag, nameOf } from './describe-cell.ts';

type Promotions = Schemas['Promotions'];

/** Number of rows fetched per page. */
const pageSize = 100;

/** Shows how long versions take to get from one environment to the next. */
export function PromotionTable({
  environments,
  list: { search, setSearch },
}: {
  environments: readonly string[];
  list: Pick<List<unknown>, 'search' | 'setSearch'>;
}) {
  const { q, from, to } = search;
  const query = { ...(q && { q }), ...(from && { from }), ...(to && from !== to && { to }) };
  const read = useInfiniteQuery({
    queryKey: ['listPromotions', 'rows', query],
    queryFn: ({ pageParam: offset, signal }) =>
      api.call('listPromotions', { query: { ...query, limit: pageSize, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0);
      return count < last.total && last.items.length > 0 ? count : undefined;
    },
    placeholderData: (previous) => previous,
  });
  const pages = read.data?.pages ?? [];
  const newest = pages.at(-1);
  const items = pages.flatMap((page) => page.items);
  return (
    <>
      <Group gap="xs" mb="sm">
        {(['from', 'to'] as const).map((end) => (
          <Select
            key={end}
            aria-label={end === 'from' ? 'From environment' : 'To environment'}
            placeholder={end === 'from' ? 'From the first' : 'To the last'}
            data={[...environments]}
            value={search[end] ?? null}
            onChange={(value) => setSearch({ [end]: value ?? undefined })}
            clearable
            clearButtonProps={{ 'aria-label': end === 'from' ? 'Clear from' : 'Clear to' }}
            w={160}
          />
        ))}
      </Group>
      {read.error && <ErrorNotice error={read.error} retry={() => void read.refetch()} />}
      {!read.data && !read.error && <Skeleton height={200} role="status" aria-label="Loading" />}
      {newest?.total === 0 && (
        <Text c="var(--text-muted)">
          {Object.keys(query).length === 0 ? 'No services are in more than one environment' : 'No matches'}
        </Text>
      )}
      {newest !== undefined && newest.total > 0 && (
        <>
          <Figures answer={newest} />
          {describeIncompleteComparison(newest.is_complete, items, 'version trackers').map((sentence) => (
            <Text key={sentence} size="sm" mb="xs" c="var(--text-muted)">
              {sentence}
            </Text>
          ))}
          <Rows items={items} />
        </>
      )}
      <ShowMoreButton query={read} total={newest?.total ?? 0} shown={items.length} />
    </>
  );
}

/** Shows the totals of all services, not only of the rows shown. */
function Figures({ answer }: { answer: Schemas['ListPromotionsResponse'] }) {
  const { summary, total, total_is_exact } = answer;
  return (
    <Text size="sm" mb="xs" role="status">
      {(summary.service_count < total || !total_is_exact) &&
        `Covers only the first ${countOf(summary.service_count, 'service')} by name. `}
      {summary.promoted === 0
        ? 'No versions promoted.'
        : `${countOf(summary.promoted, 'version')} promoted: median ${formatLag(summary.median_seconds)}, 90% within ${formatLag(summary.p90_seconds)}.`}{' '}
      {summary.skipped.toLocaleString('en')} skipped, {summary.in_flight_count.toLocaleString('en')} under
      way, {summary.reversed.toLocaleString('en')} in reverse order. A version counts from when Pacekeeper
      first saw it{describeDelay(summary.interval_seconds)}.
    </Text>
  );
}

function Rows({ items }: { items: readonly Promotions[] }) {
  return (
    <RowsTable
      items={items}
      columns={[
        {
          header: 'Service',
          cell: (item: Promotions) => (
            <TwoLines second={`${item.from} to ${item.to}`}>{nameOf(item)}</TwoLines>
          ),
          width: 'minmax(0, 1.5fr)',
        },
        { header: 'Promoted', cell: ({ promoted }) => promoted.toLocaleString('en') },
        {
          header: 'Median',
          cell: ({ median_seconds, interval_seconds }) => (
            <TwoLines second={describePrecision(interval_seconds)}>{formatLag(median_seconds)}</TwoLines>
          ),
        },
        { header: '90%', cell: ({ p90_seconds }) => formatLag(p90_seconds) },
        {
          header: 'Under way',
          cell: ({ in_flight, in_flight_count }) => (
            <TwoLines second={in_flight[0]?.version}>{in_flight_count.toLocaleString('en')}</TwoLines>
          ),
          wideOnly: true,
        },
        {
          header: 'Skipped',
          cell: ({ skipped, skipped_versions }) => (
            <TwoLines second={skipped_versions[0]?.version}>{skipped.toLocaleString('en')}</TwoLines>
          ),
          wideOnly: true,
        },
      ]}
      name="promotions"
      rowKey={(item) => `${item.service}\0${item.component}`}
    />
  );
}
