import { Select } from '@mantine/core';
import type { List } from './list/use-list.ts';

const dayMs = 86_400_000;
const spans = [
  { days: 1, label: 'Last 24 hours' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 365, label: 'Last year' },
];

/** Filter for `since`, with periods that end now. The URL contains the start date of the period. */
export function SinceFilter({
  list,
  label,
}: {
  list: Pick<List<unknown>, 'search' | 'setSearch'>;
  /** Verb for the filtered event, such as "Released". */
  label: string;
}) {
  const { since } = list.search;
  const days = since === undefined ? null : Math.round((Date.now() - Date.parse(since)) / dayMs);
  const known = spans.find((span) => span.days === days);
  const other = since !== undefined && !known ? [{ value: since, label: `Since ${since.slice(0, 10)}` }] : [];
  return (
    <Select
      aria-label={label}
      placeholder={`${label}: any time`}
      data={[
        ...spans.map((span) => ({ value: String(span.days), label: `${label} ${span.label}` })),
        ...other,
      ]}
      value={known ? String(known.days) : (since ?? null)}
      onChange={(value) =>
        list.setSearch({
          since: value === null ? undefined : new Date(Date.now() - Number(value) * dayMs).toISOString(),
        })
      }
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      w={210}
    />
  );
}
