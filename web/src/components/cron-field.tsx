import { Group, Select, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatWeekdayTime } from '../ui/format.ts';
import { useNow } from '../ui/relative-time.tsx';
import type { DescribedCron } from './describe-cron.ts';
import { monoInput } from './mono-input.ts';

const presets = [
  { value: '*/10 * * * *', label: 'Every 10 minutes' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */6 * * *', label: 'Every 6 hours' },
  { value: '0 6 * * *', label: 'Every day' },
  { value: '0 6 * * 1', label: 'Every week' },
];
const never = 'never';
const custom = 'custom';
const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const timeZones = [...new Set(['UTC', ownTimeZone, ...Intl.supportedValuesOf('timeZone')])];

interface CronFieldProps {
  /** Cron expression. Empty if there's no schedule. */
  value: string;
  onChange(value: string): void;
  error?: React.ReactNode;
  timeZone: string;
  onTimeZoneChange(timeZone: string): void;
  timeZoneError?: React.ReactNode;
}

/** Schedule field with presets or a custom cron expression, and a description of the schedule. */
export function CronField({
  value,
  onChange,
  error,
  timeZone,
  onTimeZoneChange,
  timeZoneError,
}: CronFieldProps) {
  const isPreset = presets.some((preset) => preset.value === value);
  const [isCustom, setCustom] = useState(value !== '' && !isPreset);
  const chosen = isCustom ? custom : value === '' ? never : value;
  return (
    <div>
      <Group align="flex-start" gap="sm">
        <Select
          label="Schedule"
          data={[
            ...presets,
            { value: custom, label: 'Custom (cron expression)' },
            { value: never, label: 'Manual only' },
          ]}
          value={chosen}
          allowDeselect={false}
          onChange={(next) => {
            setCustom(next === custom);
            if (next !== custom) onChange(next === never || next === null ? '' : next);
          }}
          error={isCustom ? undefined : error}
          flex="1 1 12rem"
        />
        {isCustom && (
          <TextInput
            label="Cron expression"
            description="For example, 30 5 * * mon-fri."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={value}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            error={error}
            spellCheck={false}
            styles={monoInput}
            flex="1 1 12rem"
          />
        )}
        {chosen !== never && (
          <Select
            label="Time zone"
            data={timeZones}
            value={timeZone}
            onChange={(next) => onTimeZoneChange(next ?? 'UTC')}
            searchable
            allowDeselect={false}
            limit={100}
            error={timeZoneError}
            flex="1 1 12rem"
          />
        )}
      </Group>
      {chosen !== never && (
        <Text size="xs" c="var(--text-muted)" mt={4} mih="1.3em" aria-live="polite">
          <CronDescription expression={value} timeZone={timeZone} />
        </Text>
      )}
    </div>
  );
}

/** Description of a cron expression, and the time of the next run. */
export function CronDescription({ expression, timeZone }: { expression: string; timeZone: string }) {
  const now = useNow();
  const [read, setRead] = useState<typeof import('./describe-cron.ts').describeCron | null>(null);
  useEffect(() => {
    void import('./describe-cron.ts').then(({ describeCron }) => setRead(() => describeCron));
  }, []);
  if (!read || expression.trim() === '') return null;
  const result: DescribedCron = read(expression, timeZone, new Date(now));
  if (!result.ok) {
    return (
      <Text span inherit c="var(--severity-critical)">
        {result.message}
      </Text>
    );
  }
  return `${result.text} (${timeZone}).${result.next ? ` Next run: ${formatWeekdayTime(result.next)} your time.` : ''}`;
}
