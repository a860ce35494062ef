import { Button, Group, Input, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { SendingHours, Weekday } from '../../../../src/domain/scheduling/sending-hours.ts';
import { timeZones } from '../../components/cron-field.tsx';
import { weekdayOptions } from '../../components/format-hours.ts';
import { severityOptions } from '../../components/severity.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';

interface SendingTimes {
  sending_hours: SendingHours[];
  timezone: string;
  always_for: string[];
}

const office: SendingHours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' };

/**
 * Fields for the sending hours of a channel, their time zone, and the severities that are sent at any time.
 */
export function SendingTimesFields({
  values: { sending_hours: hours, timezone, always_for },
  hasDigestSchedule = false,
  onChange,
  errorOf,
}: {
  values: SendingTimes;
  /** True if the channel has a digest schedule, which uses the same time zone. */
  hasDigestSchedule?: boolean;
  onChange: (part: Partial<SendingTimes>) => void;
  /** Returns the error of a field by its name. */
  errorOf: (field: string) => React.ReactNode;
}) {
  const changeRow = (index: number, part: Partial<SendingHours>) =>
    onChange({ sending_hours: hours.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return (
    <>
      <Input.Wrapper
        labelElement="div"
        label="Sending hours"
        description="Outside of these hours, messages wait. Leave empty to send at any time."
        error={errorOf('sending_hours')}
      >
        <Stack gap="xs" mt={4}>
          {hours.map(({ days, from, to }, index) => (
            // The rows have no stable key other than their index.
            <Group key={index} gap="xs" align="flex-start">
              <MultiSelect
                aria-label={`Hours ${index + 1}: days`}
                data={weekdayOptions}
                value={days}
                required
                onChange={(next) => changeRow(index, { days: next as Weekday[] })}
                error={errorOf(`sending_hours.${index}.days`)}
                flex="1 1 14rem"
              />
              <TextInput
                aria-label={`Hours ${index + 1}: from`}
                placeholder="From"
                required
                value={from}
                onChange={({ currentTarget }) => changeRow(index, { from: currentTarget.value })}
                error={errorOf(`sending_hours.${index}.from`)}
                w="5rem"
              />
              <TextInput
                aria-label={`Hours ${index + 1}: to`}
                placeholder="To"
                required
                value={to}
                onChange={({ currentTarget }) => changeRow(index, { to: currentTarget.value })}
                error={errorOf(`sending_hours.${index}.to`)}
                w="5rem"
              />
              <RemoveButton
                label={`Remove hours ${index + 1}`}
                onClick={() => onChange({ sending_hours: hours.filter((_, at) => at !== index) })}
              />
            </Group>
          ))}
          {hours.length < 20 && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange({ sending_hours: [...hours, office] })}
              style={{ alignSelf: 'flex-start' }}
            >
              Add hours
            </Button>
          )}
        </Stack>
      </Input.Wrapper>
      {hours.length > 0 && (
        <MultiSelect
          label="Always send"
          description="Alerts of these severities don't wait for the sending hours."
          data={severityOptions}
          value={always_for}
          onChange={(next) => onChange({ always_for: next })}
          error={errorOf('always_for')}
        />
      )}
      {(hours.length > 0 || hasDigestSchedule) && (
        <Select
          label="Time zone"
          description={`For ${[...(hours.length > 0 ? ['the sending hours'] : []), ...(hasDigestSchedule ? ['the digest schedule'] : [])].join(' and ')}.`}
          data={timeZones}
          value={timezone}
          onChange={(next) => onChange({ timezone: next ?? 'UTC' })}
          searchable
          allowDeselect={false}
          limit={100}
          error={errorOf('timezone')}
        />
      )}
    </>
  );
}
