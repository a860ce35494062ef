import { Select } from '@mantine/core';

const hour = 3_600_000;
const spans = [
  { label: 'Last hour', ms: hour },
  { label: 'Last 24 hours', ms: 24 * hour },
  { label: 'Last 7 days', ms: 7 * 24 * hour },
  { label: 'Last 30 days', ms: 30 * 24 * hour },
];
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** From when on. The address keeps the time itself, so that a link shows the same to others later. */
export function SinceFilter({
  since,
  onChange,
}: {
  since: string | undefined;
  onChange: (since: string | undefined) => void;
}) {
  const chosen =
    since === undefined
      ? []
      : [
          {
            value: since,
            label: Number.isNaN(Date.parse(since)) ? since : `Since ${exact.format(new Date(since))}`,
          },
        ];
  return (
    <Select
      aria-label="Time"
      placeholder="Time"
      data={[...chosen, ...spans.map(({ label, ms }) => ({ value: String(ms), label }))]}
      value={since ?? null}
      onChange={(value) => {
        const span = spans.find(({ ms }) => String(ms) === value);
        onChange(span ? new Date(Date.now() - span.ms).toISOString() : (value ?? undefined));
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear Time' }}
      w={190}
    />
  );
}
