import { Button, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { ignoreReasons } from '../../../../src/domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { RemoveButton } from '../../ui/remove-button.tsx';

type Ignored = Schemas['IgnoredVulnerability'];

const reasonLabels: Record<Schemas['IgnoreReason'], string> = {
  component_not_present: 'Component not present',
  vulnerable_code_not_present: 'Vulnerable code not present',
  vulnerable_code_not_in_execute_path: 'Vulnerable code never runs',
  vulnerable_code_cannot_be_controlled_by_adversary: "Attackers can't control it",
  inline_mitigations_already_exist: 'Already mitigated',
  fixed: 'Fixed, for example by a backport',
  risk_accepted: 'Affected, risk accepted',
};
const reasons = ignoreReasons.map((value) => ({ value, label: reasonLabels[value] }));

/** Edits the ignored vulnerabilities: the ID, the expiration date, the reason, and the note of each. */
export function IgnoredVulnerabilities({
  value,
  onChange,
  error,
}: {
  value: readonly Ignored[];
  onChange: (ignored: Ignored[]) => void;
  error: ReactNode;
}) {
  const change = (index: number, changes: Partial<Ignored>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...changes } : each)));
  return (
    <Input.Wrapper
      label="Ignored vulnerabilities"
      description="Vulnerabilities to ignore, by ID or alias, such as CVE-2026-1234. They count again on the date you enter. Leave the date empty to ignore them permanently."
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {value.map((each, index) => (
          // The rows have no stable key while their IDs are edited.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          <Group key={index} gap="xs" align="center">
            <TextInput
              aria-label="ID"
              placeholder="ID"
              value={each.id}
              onChange={(event) => change(index, { id: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              aria-label="Until"
              value={each.until?.slice(0, 10) ?? ''}
              onChange={(event) => change(index, { until: toInstant(event.currentTarget.value) })}
            />
            <Select
              aria-label="Reason"
              placeholder="Reason"
              data={reasons}
              value={each.reason}
              onChange={(reason) => change(index, { reason })}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear reason' }}
            />
            <TextInput
              aria-label="Note"
              placeholder="Note"
              style={{ flex: 1 }}
              value={each.note}
              onChange={(event) => change(index, { note: event.currentTarget.value })}
            />
            <RemoveButton
              label={`Remove ${each.id === '' ? 'row' : each.id}`}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => onChange([...value, { id: '', until: null, reason: null, note: '' }])}
          >
            Add vulnerability
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

function toInstant(day: string): string | null {
  return day === '' ? null : `${day}T00:00:00.000Z`;
}
